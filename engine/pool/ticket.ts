/** What the queue knows of a job. */

/**
 * A job's position in a split render, which takes several jobs. The first is admitted like any job, but waits for
 * its owner's later ones; those are always admitted.
 */
export type SplitPosition = "first" | "later";

export interface Ticket {
  /** Owners share the threads fairly. */
  readonly owner: string;
  /** Estimated cost in megapixels. */
  readonly cost: number;
  readonly position?: SplitPosition | undefined;
  /** Whether it leaves a place to jobs that someone waits for. */
  readonly isBackground?: boolean | undefined;
  /** Aborts when the caller no longer waits. */
  readonly signal?: AbortSignal | undefined;
}
