/** A logarithmic axis. */

export interface LogAxis {
  /** Position of a value in 0…1; values outside the ends are outside that range. */
  at(value: number): number;
  /** 1, 10, 100 … within the ends. */
  readonly decades: readonly number[];
}

/**
 * Returns an axis over whole decades that contains all values. Throws a RangeError for no values,
 * and for values that are not positive.
 */
export function logAxis(values: readonly number[]): LogAxis {
  if (values.length === 0 || !values.every((value) => value > 0)) {
    throw new RangeError("a logarithmic axis needs positive values");
  }
  const first = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
  return {
    at: (value) => (Math.log10(value) - first) / (last - first),
    decades: Array.from({ length: last - first + 1 }, (_, k) => 10 ** (first + k)),
  };
}
