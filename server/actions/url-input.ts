import { BadTarget, readTarget } from "../outbound/index.ts";
import { InvalidInput } from "./errors.ts";

/**
 * The address in a body's `url`. Throws InvalidInput at `/url` for what is no http:// or https://
 * address, and for one with a password.
 */
export function readUrl(text: string): URL {
  try {
    return readTarget(text);
  } catch (error) {
    if (!(error instanceof BadTarget)) throw error;
    const { expected, received, message } = error;
    throw new InvalidInput([{ path: "/url", message, expected, received }], { cause: error });
  }
}
