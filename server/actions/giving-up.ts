/** When a job is given up, and what is said of it. */
import { InvalidRecipe, Overloaded, SourceTooLarge, SourceUnreadable } from "../../engine/index.ts";

/** How often a job is begun before it counts as one that breaks whoever does it. */
const TRIES = 5;

/** What is wrong with the order; it would be wrong again. */
const FAULTS_OF_ORDERS = [InvalidRecipe, SourceUnreadable, SourceTooLarge];

/**
 * Why the job is not to be tried again after this error. Throws the error where it is: where we were
 * stopped or busy, and a few times where the fault is ours.
 */
export function reasonToGiveUp(
  error: unknown,
  { tries, signal }: { readonly tries: number; readonly signal: AbortSignal },
): string {
  if (FAULTS_OF_ORDERS.some((kind) => error instanceof kind)) return (error as Error).message;
  if (signal.aborted || error instanceof Overloaded || tries < TRIES) throw error;
  return `it failed ${tries} times, for a reason of ours`;
}
