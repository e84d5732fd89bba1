/** What fails a gate. */
import type { ComparisonRow } from "../compare/ab-comparison.ts";
import type { CaseComparison } from "../compare/open-comparison.ts";
import type { BenchCase } from "../harness/case.ts";
import { describeTarget, formatNumber } from "../harness/format-table.ts";
import type { CaseResult } from "../harness/run-case.ts";

export interface Failure {
  readonly case: string;
  /** The target that is missed, or the contender and metric that are slower. */
  readonly subject: string;
  /** What was measured and what was expected. */
  readonly found: string;
}

/** Returns the missed targets of a result. */
export function missedTargets({ name, targets, metrics }: CaseResult): Failure[] {
  return targets
    .filter(({ met }) => !met)
    .map((target) => {
      const { subject, bound, amount } = describeTarget(target, metrics);
      const found = `${amount(target.reached)}, must be ${bound} ${amount(target.must)}`;
      return { case: name, subject, found };
    });
}

/** Returns the targets of a case that its result says nothing about, because their peers are missing. */
export function unjudgedTargets(
  { name, targets, metrics }: Pick<BenchCase, "name" | "targets" | "metrics">,
  result: Pick<CaseResult, "targets">,
): string[] {
  return targets
    .filter(({ metric, peer }) =>
      result.targets.every((judged) => judged.metric !== metric || judged.peer !== peer),
    )
    .map((target) => `${name}: ${describeTarget(target, metrics).subject}`);
}

/**
 * Returns the rows whose whole interval is below 1 by more than the tolerance, of the case's first
 * metric and of those with a target.
 * @param tolerance share by which a row may be slower, such as 0.02
 */
export function slowerRows(
  { targets, metrics }: Pick<BenchCase, "targets" | "metrics">,
  { name, rows }: CaseComparison,
  commit: string,
  tolerance: number,
): Failure[] {
  const judged = new Set([metrics[0].name, ...targets.map(({ metric }) => metric)]);
  const isSlower = ({ metric, interval }: ComparisonRow) =>
    judged.has(metric.name) && interval !== null && interval[1] < 1 - tolerance;
  return rows.filter(isSlower).map(({ contender, metric, median, interval }) => {
    const [low, high] = (interval ?? []).map(formatNumber);
    return {
      case: name,
      subject: `${contender}, ${metric.unit}`,
      found: `${formatNumber(median)}× of ${commit} (95 % interval ${low}…${high})`,
    };
  });
}

/**
 * Looks for failures, and if there are any looks again. Returns those found both times, because one
 * in twenty comparisons and any disturbed run finds one by chance.
 */
export async function confirmed(look: () => Promise<readonly Failure[]>): Promise<Failure[]> {
  const first = await look();
  if (first.length === 0) return [];
  return (await look()).filter((again) =>
    first.some((one) => one.case === again.case && one.subject === again.subject),
  );
}
