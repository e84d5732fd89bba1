/** Jobs on a clock that tests control. */
import { setTimeout as delay } from "node:timers/promises";
import type { Test } from "tap";
import type { Database, Jobs } from "../../db/index.ts";
import type { JobsOptions } from "../../db/jobs/types.ts";

export { TestClock } from "pg-boss";

export interface OpenedJobs extends Jobs {
  /** Failures so far. */
  readonly failures: readonly Error[];
}

/** Runs the jobs of a node until the test ends. */
export async function openTestJobs(
  t: Test,
  db: Database,
  options: Omit<JobsOptions, "onError"> = {},
): Promise<OpenedJobs> {
  const failures: Error[] = [];
  const jobs = await db.openJobs({ ...options, onError: (error) => failures.push(error) });
  let ended: Promise<void> | undefined;
  const stop = (graceMs: number) => (ended ??= jobs.stop(graceMs));
  t.teardown(() => stop(0));
  return { ...jobs, stop, failures };
}

/** What has not come about after this long never will, on any machine. */
const WAIT_MS = 120_000;

/** Waits until it holds. Throws with the condition's text if it never does. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`waited ${WAIT_MS / 1000} s for ${isSo}`);
    await delay(5);
  }
}
