/** Order statistics, which a few disturbed rounds affect less than a mean. */

/** The median of the values and of their lower and upper halves. */
export interface Spread {
  readonly median: number;
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
}

/** The quantile `q` in 0…1, interpolated between neighbours. Throws a RangeError for no values. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new RangeError("a quantile needs at least one value");
  const sorted = [...values].sort((a, b) => a - b);
  const position = q * (sorted.length - 1);
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

/** Throws a RangeError for no values. */
export function spreadOf(values: readonly number[]): Spread {
  return {
    median: quantile(values, 0.5),
    lowerQuartile: quantile(values, 0.25),
    upperQuartile: quantile(values, 0.75),
  };
}
