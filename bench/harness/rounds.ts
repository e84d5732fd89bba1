/** The number of rounds, from the command line. */

/** Runs with fewer are not stored. */
export const MIN_ROUNDS = 7;

/** The option of a command. */
export const roundsOption = (rounds: number) =>
  ({ type: "string", value: "N", default: String(rounds), about: "rounds of each case" }) as const;

/** Throws a RangeError unless given a whole number from 1. */
export function parseRounds(given: string): number {
  const rounds = Number(given);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new RangeError(`--rounds: expected a whole number from 1, got "${given}"`);
  }
  return rounds;
}
