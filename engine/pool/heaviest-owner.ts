/** Chooses the job that a full queue rejects for another owner's. */

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
