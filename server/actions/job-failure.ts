/** Classifies errors of jobs. */
import {
  CorruptedContent,
  isDatabaseUnavailable,
  ObjectStoreUnavailable,
  QuotaExceeded,
} from "../../db/index.ts";
import { InvalidRecipe, Overloaded, SourceTooLarge, SourceUnreadable } from "../../engine/index.ts";
import { isDiskFull } from "./failures.ts";

/** Number of internal errors after which a job fails for good. */
export const MAX_FAILURES = 5;

/** Message of such a job. */
export const INTERNAL_ERROR_MESSAGE = `it failed ${MAX_FAILURES} times because of internal errors`;

const PERMANENT_ERRORS = [
  InvalidRecipe,
  SourceUnreadable,
  SourceTooLarge,
  CorruptedContent,
  QuotaExceeded,
];

/** Returns the message of an error that would recur; null for others. */
export function permanentFailureReason(error: unknown): string | null {
  const known = PERMANENT_ERRORS.find((kind) => error instanceof kind);
  return error instanceof Error && known ? error.message : null;
}

/** Errors that say nothing about the job. */
const PASSING_ERRORS = ["Overloaded", "ObjectStoreUnavailable"];

/** Whether the attempt before failed for a temporary reason, as far as the name of its error says. */
export function hadToWait({ lastError }: { readonly lastError: string | null }): boolean {
  return lastError !== null && PASSING_ERRORS.includes(lastError);
}

/** Whether the job was interrupted, or failed for a temporary reason. */
export function isRetryable(error: unknown, signal: AbortSignal): boolean {
  return (
    signal.aborted ||
    error instanceof Overloaded ||
    error instanceof ObjectStoreUnavailable ||
    isDatabaseUnavailable(error) ||
    isDiskFull(error)
  );
}
