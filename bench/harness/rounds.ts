/** The number of rounds, from the command line. */

/** Runs with fewer are not stored. */
export const MIN_ROUNDS = 7;

/** The option for `parseArgs`. */
export const roundsOption = { type: "string", default: String(MIN_ROUNDS) } as const;

/** Throws a RangeError unless given a whole number from 1. */
export function parseRounds(given: string): number {
  const rounds = Number(given);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new RangeError(`--rounds: expected a whole number from 1, got "${given}"`);
  }
  return rounds;
}
