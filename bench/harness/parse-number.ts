/** Numbers from the command line and the environment. */

/** Parses a number. Throws a RangeError unless it is finite and above 0. */
export function parsePositive(name: string, given: string): number {
  const value = Number(given);
  if (!Number.isFinite(value) || value <= 0) {
    throw new RangeError(`${name}: expected a finite number above 0, got "${given}"`);
  }
  return value;
}

/** Parses a whole number. Throws a RangeError unless it is within these bounds. */
export function parseWhole(
  name: string,
  given: string,
  minimum: number,
  maximum = Number.POSITIVE_INFINITY,
): number {
  const value = Number(given);
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    const bounds = Number.isFinite(maximum) ? `${minimum} to ${maximum}` : String(minimum);
    throw new RangeError(`${name}: expected a whole number from ${bounds}, got "${given}"`);
  }
  return value;
}
