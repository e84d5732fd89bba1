/** What the queue knows of a job, and which one a full queue rejects for another. */

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

/**
 * Returns the last job of the owner with the most jobs, if these are at least two more than `owner` has.
 * @param jobs in order of arrival
 */
export function lastOfHeaviest<Job extends { readonly owner: string }>(
  jobs: readonly Job[],
  owner: string,
): Job | undefined {
  const counts = new Map<string, number>();
  for (const one of jobs) counts.set(one.owner, (counts.get(one.owner) ?? 0) + 1);
  const [heaviest = owner, most = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  if (most <= (counts.get(owner) ?? 0) + 1) return undefined;
  return jobs.findLast((one) => one.owner === heaviest);
}
