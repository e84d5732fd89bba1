/** A bounded queue at the engine's door: first come, first served, and whoever leaves leaves at once. */
import { Overloaded } from "./errors.ts";

export interface Queue {
  /**
   * Runs a job as soon as fewer than `width` are running. Throws `Overloaded` when `length` wait
   * already or the queue is closed, and what `signal` aborts with while the job waits.
   */
  run<Result>(job: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Refuses new jobs; settles when the running and waiting ones are done, or after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** A queue for `width` jobs at once, in which `length` more may wait. */
export function createQueue(width: number, length: number): Queue {
  const waiting: (() => void)[] = [];
  let running = 0;
  let closed = false;
  let idle: (() => void) | undefined;

  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      signal?.addEventListener("abort", leave, { once: true });
      waiting.push(start);
    });

  const end = () => {
    // A place that is handed on stays taken.
    const next = waiting.shift();
    if (next !== undefined) return next();
    running--;
    if (running === 0) idle?.();
  };

  return {
    async run(job, signal) {
      signal?.throwIfAborted();
      if (closed) throw new Overloaded(waiting.length);
      if (running < width) running++;
      else if (waiting.length < length) await turn(signal);
      else throw new Overloaded(waiting.length);
      try {
        return await job();
      } finally {
        end();
      }
    },
    async close(graceMs) {
      closed = true;
      if (running === 0) return;
      await new Promise<void>((resolve) => {
        idle = resolve;
        setTimeout(resolve, graceMs).unref();
      });
    },
  };
}
