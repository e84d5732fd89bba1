import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** A tenth of the share of a thread of usual priority where both want all of a processor: sched(7). */
export const NICENESS = 10;

/** Half the share. */
export const RESERVE_NICENESS = 3;

/**
 * Lowers the priority of this thread, which computes for seconds at a time: what answers requests in a
 * fraction of a millisecond should not wait for its time slices. Linux alone has priorities of single
 * threads; elsewhere, and where it is forbidden, nothing changes.
 */
export function lowerThreadPriority(niceness: number): void {
  if (process.platform !== "linux") return;
  try {
    // PROCESS/task/THREAD
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, niceness);
  } catch {
    // A courtesy, and no more.
  }
}
