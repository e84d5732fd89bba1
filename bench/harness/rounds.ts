/** How often things are timed, as said on the command line. */

/** Fewer are a try, not a measurement. */
export const LEAST_ROUNDS = 7;

/** The option as `parseArgs` takes it. */
export const roundsOption = { type: "string", default: String(LEAST_ROUNDS) } as const;

/** Throws a RangeError for anything but a whole number from 1. */
export function parseRounds(given: string): number {
  const rounds = Number(given);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new RangeError(`--rounds: expected a whole number from 1, got "${given}"`);
  }
  return rounds;
}
