/** Each target over the stored results. */
import type { BenchCase, Target } from "../harness/case.ts";
import type { StoredResults } from "../harness/results-folder.ts";
import type { CaseResult } from "../harness/run-case.ts";
import { quantile } from "../harness/statistics.ts";

/** Enough that one disturbed result does not move their median. */
const BASELINE_RESULTS = 5;

export interface TrendPoint {
  /** Short hash, or `worktree`. */
  readonly commit: string;
  /** Milliseconds since 1970 of the commit, or of the measurement if git does not know it. */
  readonly date: number;
  readonly value: number;
  readonly file: string;
}

/** A target's values on one machine, by commit date. */
export interface Trend {
  readonly name: string;
  readonly number?: number;
  readonly target: Target;
  readonly metrics: BenchCase["metrics"];
  /** Processor and number of threads. */
  readonly machine: string;
  readonly better: "lower" | "higher";
  readonly points: readonly TrendPoint[];
}

/**
 * Returns the trends of all targets that have been measured. Results of a case with another title
 * measured something else and are ignored.
 * @param commitDate returns a commit's milliseconds since 1970, or null
 */
export function trendsOf(
  cases: readonly BenchCase[],
  kept: readonly StoredResults[],
  commitDate: (commit: string) => number | null,
): Trend[] {
  const measured = kept.flatMap(({ file, content }) =>
    "results" in content ? [{ file, ...content }] : [],
  );
  const machineOf = ({ environment }: (typeof measured)[number]) =>
    `${environment.cpu}, ${environment.threads} threads`;
  const machines = [...new Set(measured.map(machineOf))];
  return cases.flatMap((one) =>
    one.targets.flatMap((target) =>
      machines.flatMap((machine): Trend[] => {
        const points = measured
          .filter((run) => machineOf(run) === machine)
          .flatMap(({ file, environment: { commit, date }, results }) => {
            const value = valueIn(results, one, target);
            if (value === null) return [];
            return [{ commit, date: commitDate(commit) ?? Date.parse(date), value, file }];
          })
          .toSorted((a, b) => a.date - b.date);
        if (points.length === 0) return [];
        const { name, number, metrics } = one;
        const numbered = number === undefined ? {} : { number };
        return [
          { name, ...numbered, target, metrics, machine, better: betterOf(one, target), points },
        ];
      }),
    ),
  );
}

function valueIn(
  results: readonly CaseResult[],
  { name, title }: BenchCase,
  { metric, peer }: Target,
): number | null {
  const result = results.find((one) => one.name === name && one.title === title);
  const found = result?.targets.find((one) => one.metric === metric && one.peer === peer);
  return found?.reached ?? null;
}

/** A ratio to a peer says how many times better we are. */
function betterOf({ metrics }: BenchCase, { metric, peer }: Target): Trend["better"] {
  if (peer !== undefined) return "higher";
  return metrics.find(({ name }) => name === metric)?.better ?? "lower";
}

/**
 * Returns the median of the results before the newest one, at most `BASELINE_RESULTS`; null without
 * any. Unlike the best of all results, it does not become harder to reach with their number.
 */
export function baselineOf({ points }: Pick<Trend, "points">): number | null {
  const values = points.slice(0, -1).map(({ value }) => value);
  return values.length === 0 ? null : quantile(values.slice(-BASELINE_RESULTS), 0.5);
}

/** Returns by what share the newest value is worse than the baseline; 0 if it is not. */
export function lossOf(trend: Pick<Trend, "points" | "better">): number {
  const { value: newest } = trend.points[trend.points.length - 1];
  const baseline = baselineOf(trend) ?? newest;
  const loss = trend.better === "lower" ? newest - baseline : baseline - newest;
  return loss <= 0 ? 0 : loss / Math.abs(baseline);
}
