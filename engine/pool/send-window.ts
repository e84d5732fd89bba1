/** Backpressure between a thread and the reader of its file. */
import { setImmediate } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import { type ReaderMessage, WINDOW_BYTES } from "./job.ts";

/** Lets a thread be at most `WINDOW_BYTES` ahead of its reader, until cancelled. */
export function createSendWindow(port: MessagePort, cancelled: Int32Array) {
  let unacknowledged = 0;
  let wake: (() => void) | undefined;
  const open = () => {
    unacknowledged = Number.NEGATIVE_INFINITY;
    wake?.();
  };
  port.on("message", ({ taken }: ReaderMessage) => {
    unacknowledged -= taken;
    wake?.();
  });
  port.on("close", open);
  const abort = Atomics.waitAsync(cancelled, 0, 0);
  if (abort.async) abort.value.then(open);
  else open();
  return {
    async take(bytes: number): Promise<void> {
      unacknowledged += bytes;
      // Messages arrive between turns of the event loop.
      await setImmediate();
      while (unacknowledged > WINDOW_BYTES) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
