/**
 * Loaded into a server by `--import`: each second appends two values in milliseconds to the file in
 * LOOP_PROBE_FILE: the longest stall of the event loop since the last line, and the longest processor
 * time of this thread in one stall (from Linux's `schedstat`; elsewhere both are equal). That leaves
 * out the time in which the system ran other threads or the host other machines. Other threads and
 * processes that load it write nothing.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env.LOOP_PROBE_FILE;
const INTERVAL_MS = 5;
const LINE_MS = 1000;

if (isMainThread && file && process.argv.includes("serve")) {
  let stall = 0;
  let ownStall = 0;
  let last = performance.now();
  let ran = ranMs();
  let line = last;
  setInterval(() => {
    const now = performance.now();
    const late = Math.max(0, now - last - INTERVAL_MS);
    last = now;
    const ranNow = ranMs();
    stall = Math.max(stall, late);
    ownStall = Math.max(ownStall, Math.min(late, ranNow - ran));
    ran = ranNow;
    if (now - line < LINE_MS) return;
    line = now;
    appendFileSync(file, `${stall.toFixed(1)} ${ownStall.toFixed(1)}\n`);
    stall = 0;
    ownStall = 0;
  }, INTERVAL_MS).unref();
}

/** Total milliseconds for which this thread ran. */
function ranMs(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
