/**
 * Loaded into a server by `--import`: each second appends the longest stall of its event loop since
 * the last one, in milliseconds, to the file that LOOP_PROBE_FILE names. Other threads and processes
 * that load it too stay silent.
 */
import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = process.env.LOOP_PROBE_FILE;
const RESOLUTION_MS = 5;

if (isMainThread && file && process.argv.includes("serve")) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  setInterval(() => {
    appendFileSync(file, `${(delay.max / 1e6 - RESOLUTION_MS).toFixed(1)}\n`);
    delay.reset();
  }, 1000).unref();
}
