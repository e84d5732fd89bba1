import { setImmediate } from "node:timers/promises";
import t from "tap";
import { watchEventLoopLag } from "../../server/event-loop-lag.ts";

/** Blocks the event loop. */
function stall(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

t.test("a stall counts as recent for two windows, and is kept as the longest", async (t) => {
  const STALL_MS = 1000;
  /** Less the tolerance of the measurement. */
  const seen = STALL_MS - 20;
  const lag = watchEventLoopLag(50);
  t.teardown(() => lag.close());
  stall(STALL_MS);
  while (lag.longestMs() < seen) await setImmediate();
  while (lag.recentMs() >= seen) await setImmediate();
  t.ok(lag.longestMs() >= seen);
});
