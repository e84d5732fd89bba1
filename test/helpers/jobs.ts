/** Jobs for tests: on a clock that is driven by hand. */
import { setTimeout as delay } from "node:timers/promises";
import type { Test } from "tap";
import type { Database, Jobs } from "../../db/index.ts";
import type { JobsOptions } from "../../db/jobs/types.ts";

export { TestClock } from "pg-boss";

export interface OpenedJobs extends Jobs {
  /** What went wrong so far. */
  readonly failures: readonly Error[];
}

/** A node's part in the jobs; it ends with the test. */
export async function openTestJobs(
  t: Test,
  db: Database,
  options: Omit<JobsOptions, "failed"> = {},
): Promise<OpenedJobs> {
  const failures: Error[] = [];
  const jobs = await db.openJobs({ ...options, failed: (error) => failures.push(error) });
  let ended: Promise<void> | undefined;
  const stop = (graceMs: number) => (ended ??= jobs.stop(graceMs));
  t.teardown(() => stop(0));
  return { ...jobs, stop, failures };
}

/** Waits until it is so; if it never is, the test's own time limit ends it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(5);
}
