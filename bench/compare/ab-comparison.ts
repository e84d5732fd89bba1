/** Runs a case on two sides, interleaved round by round. */
import type { Metric, Reading } from "../harness/case.ts";
import type { Report } from "../harness/progress.ts";
import type { Side } from "./open-side.ts";
import { comparePaired, type PairedRatio } from "./paired.ts";
import type { CaseFacts } from "./side.ts";

export interface Sides {
  readonly before: Side;
  readonly after: Side;
}

export interface ComparisonRow extends PairedRatio {
  readonly contender: string;
  readonly metric: Metric;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/**
 * Runs our contenders of a case on both sides: one warm-up round, then `rounds` rounds, each
 * contender once on either side, and the sides alternate in starting. Throws if a side cannot run
 * the case or its results are wrong.
 */
export async function compareSides(
  { before, after }: Sides,
  { name, metrics }: CaseFacts,
  rounds: number,
  report: Report,
): Promise<readonly ComparisonRow[]> {
  try {
    report("preparing and checking");
    const old = await before.request({ kind: "prepare", name });
    const contenders = (await after.request({ kind: "prepare", name })).filter((one) =>
      old.includes(one),
    );
    const readings = new Map<string, { readonly before: Reading[]; readonly after: Reading[] }>(
      contenders.map((one) => [one, { before: [], after: [] }]),
    );
    for (let round = 0; round <= rounds; round++) {
      for (const [contender, pair] of readings) {
        report(round === 0 ? "warming up" : `round ${round} of ${rounds}`, contender);
        const run = { kind: "run", contender } as const;
        const turns = [
          async () => pair.before.push(await before.request(run)),
          async () => pair.after.push(await after.request(run)),
        ];
        for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
      }
    }
    return [...readings].flatMap(([contender, pair]) =>
      metrics.map((metric): ComparisonRow => {
        const valuesOf = (list: readonly Reading[]) => list.slice(1).map((one) => one[metric.name]);
        const values = { before: valuesOf(pair.before), after: valuesOf(pair.after) };
        const compared = comparePaired(values.before, values.after, metric.better);
        return { contender, metric, ...values, ...compared };
      }),
    );
  } finally {
    await Promise.allSettled([before.request({ kind: "close" }), after.request({ kind: "close" })]);
  }
}
