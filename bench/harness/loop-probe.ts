/**
 * Loaded into a server by `--import`: each second appends two milliseconds values to the file in
 * LOOP_PROBE_FILE: the longest stall of the event loop since the last line, and the longest without
 * the time in which the thread was runnable but preempted (from Linux's `schedstat`; elsewhere both
 * are equal). Other threads and processes that load it write nothing.
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
  let waited = waitedMs();
  let line = last;
  setInterval(() => {
    const now = performance.now();
    const late = Math.max(0, now - last - INTERVAL_MS);
    last = now;
    const waitedNow = waitedMs();
    const own = Math.max(0, late - (waitedNow - waited));
    waited = waitedNow;
    stall = Math.max(stall, late);
    ownStall = Math.max(ownStall, own);
    if (now - line < LINE_MS) return;
    line = now;
    appendFileSync(file, `${stall.toFixed(1)} ${ownStall.toFixed(1)}\n`);
    stall = 0;
    ownStall = 0;
  }, INTERVAL_MS).unref();
}

/** Total milliseconds for which this thread waited for a processor. */
function waitedMs(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
