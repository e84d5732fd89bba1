/** Which failures of a job are the order's, which are nobody's, and which are ours. */
import { CorruptedContent, isDatabaseAway, QuotaExceeded } from "../../db/index.ts";
import { InvalidRecipe, Overloaded, SourceTooLarge, SourceUnreadable } from "../../engine/index.ts";
import { isDiskFull } from "./failures.ts";

/** How often a job may fail by a fault of ours before it counts as one that breaks whoever does it. */
export const FAILURES = 5;

/** What is said of it then. */
export const OUR_FAULT = `it failed ${FAILURES} times, for a reason of ours`;

const FAULTS_OF_ORDERS = [
  InvalidRecipe,
  SourceUnreadable,
  SourceTooLarge,
  CorruptedContent,
  QuotaExceeded,
];

/** What is wrong with the order, which would be wrong again; null where nothing is. */
export function isPermanent(error: unknown): string | null {
  return FAULTS_OF_ORDERS.some((kind) => error instanceof kind) ? (error as Error).message : null;
}

/** Whether the job was only stopped, or came at a bad time. */
export function isRetryable(error: unknown, signal: AbortSignal): boolean {
  return (
    signal.aborted || error instanceof Overloaded || isDatabaseAway(error) || isDiskFull(error)
  );
}
