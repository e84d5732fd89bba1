/** Whether one side of paired readings is better than the other, and how surely that is known. */
import { quantile } from "../harness/statistics.ts";

export type Verdict =
  | "better"
  | "worse"
  | "no difference that can be told"
  | "too few rounds to tell";

export interface PairedRatio {
  /** How many times better the new side is: the median of the ratios of each round. */
  readonly median: number;
  /** Holds the true median with at least 95 % certainty; null where there are too few rounds. */
  readonly interval: readonly [number, number] | null;
  readonly verdict: Verdict;
}

const CERTAINTY = 0.95;

/**
 * Compares readings of the same rounds. Only the order of the ratios counts, so that a few disturbed
 * rounds do not.
 * @param better whether less or more of the metric is wanted
 * @throws {RangeError} where the sides have not equally many readings, or none
 */
export function comparePaired(
  before: readonly number[],
  after: readonly number[],
  better: "lower" | "higher",
): PairedRatio {
  if (before.length !== after.length) {
    throw new RangeError(`${before.length} readings before and ${after.length} after are no pairs`);
  }
  const ratios = before.map((old, round) =>
    better === "lower" ? old / after[round] : after[round] / old,
  );
  const median = quantile(ratios, 0.5);
  const interval = medianInterval(ratios);
  return { median, interval, verdict: verdictOf(interval) };
}

function verdictOf(interval: PairedRatio["interval"]): Verdict {
  if (interval === null) return "too few rounds to tell";
  if (interval[0] > 1) return "better";
  return interval[1] < 1 ? "worse" : "no difference that can be told";
}

/**
 * The narrowest interval between two of the values, equally far from either end, that holds the median
 * of what they were drawn from (Conover, Practical Nonparametric Statistics, §3.2): each value lies
 * below that median with probability ½, so how many do is binomial. No 5 values have one at 95 %.
 */
function medianInterval(values: readonly number[]): readonly [number, number] | null {
  const sorted = values.toSorted((a, b) => a - b);
  let left: number | null = null;
  let outside = 0;
  let ways = 1;
  for (let below = 0; below < sorted.length / 2; below++) {
    // Both tails: that no more than `below` values lie on one side of the median.
    outside += (2 * ways) / 2 ** sorted.length;
    if (outside > 1 - CERTAINTY) break;
    left = below;
    ways = (ways * (sorted.length - below)) / (below + 1);
  }
  return left === null ? null : [sorted[left], sorted[sorted.length - 1 - left]];
}
