/** Classifies errors of jobs. */
import { CorruptedContent, isDatabaseAway, QuotaExceeded } from "../../db/index.ts";
import { InvalidRecipe, Overloaded, SourceTooLarge, SourceUnreadable } from "../../engine/index.ts";
import { isDiskFull } from "./failures.ts";

/** Number of internal errors after which a job fails for good. */
export const FAILURES = 5;

/** Message of such a job. */
export const OUR_FAULT = `it failed ${FAILURES} times, for a reason of ours`;

const FAULTS_OF_ORDERS = [
  InvalidRecipe,
  SourceUnreadable,
  SourceTooLarge,
  CorruptedContent,
  QuotaExceeded,
];

/** Returns the message of an error that would recur; null for others. */
export function isPermanent(error: unknown): string | null {
  return FAULTS_OF_ORDERS.some((kind) => error instanceof kind) ? (error as Error).message : null;
}

/** Whether the job was interrupted, or failed for a temporary reason. */
export function isRetryable(error: unknown, signal: AbortSignal): boolean {
  return (
    signal.aborted || error instanceof Overloaded || isDatabaseAway(error) || isDiskFull(error)
  );
}
