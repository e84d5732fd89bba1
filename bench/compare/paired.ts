/** Significance of the difference between paired readings. */
import { quantile } from "../harness/statistics.ts";

export type Verdict = "better" | "worse" | "no significant difference" | "too few rounds";

export interface PairedRatio {
  /** How many times better the new side is: the median of the ratios of each round. */
  readonly median: number;
  /** Contains the true median with at least 95 % confidence; null for too few rounds. */
  readonly interval: readonly [number, number] | null;
  readonly verdict: Verdict;
}

const CERTAINTY = 0.95;

/**
 * Compares readings of the same rounds by the order of their ratios, so that a few disturbed rounds
 * do not matter.
 * @param better whether lower or higher values are better
 * @throws {RangeError} if the sides have different numbers of readings, or none
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
  if (interval === null) return "too few rounds";
  if (interval[0] > 1) return "better";
  return interval[1] < 1 ? "worse" : "no significant difference";
}

/**
 * Returns the narrowest interval between two of the values, equally far from either end, that
 * contains the median of their distribution (Conover, Practical Nonparametric Statistics, §3.2):
 * each value is below that median with probability ½, so their number is binomial. 5 values have no
 * interval at 95 %.
 */
function medianInterval(values: readonly number[]): readonly [number, number] | null {
  const sorted = values.toSorted((a, b) => a - b);
  let left: number | null = null;
  let outside = 0;
  let ways = 1;
  for (let below = 0; below < sorted.length / 2; below++) {
    // Both tails: at most `below` values are on one side of the median.
    outside += (2 * ways) / 2 ** sorted.length;
    if (outside > 1 - CERTAINTY) break;
    left = below;
    ways = (ways * (sorted.length - below)) / (below + 1);
  }
  return left === null ? null : [sorted[left], sorted[sorted.length - 1 - left]];
}
