/** The number of rounds, from the command line. */
import { parseWhole } from "./parse-number.ts";

/** Runs with fewer are not stored. */
export const MIN_ROUNDS = 7;

/** The option of a command. */
export const roundsOption = (rounds: number) =>
  ({ type: "string", value: "N", default: String(rounds), about: "rounds of each case" }) as const;

/** Throws a RangeError unless given a whole number from 1. */
export function parseRounds(given: string): number {
  return parseWhole("--rounds", given, 1);
}
