import { BadTarget, readTarget } from "../outbound/index.ts";
import { InvalidInput } from "./errors.ts";
import type { Services } from "./services.ts";

/**
 * The address in a body's `url`. Throws InvalidInput at `/url` for what is no http:// or https://
 * address, and for one with a password.
 */
export function readUrl(text: string): URL {
  return reportAtUrl(() => readTarget(text));
}

/** The address of a webhook. Throws InvalidInput at `/url` also for one that is never posted to. */
export function readWebhookUrl({ poster }: Pick<Services, "poster">, text: string): URL {
  return reportAtUrl(() => {
    const target = readTarget(text);
    poster.check(target);
    return target;
  });
}

function reportAtUrl(read: () => URL): URL {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BadTarget)) throw error;
    const { expected, received, message } = error;
    throw new InvalidInput([{ path: "/url", message, expected, received }], { cause: error });
  }
}
