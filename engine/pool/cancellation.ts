/** An abort on its way into a thread: a number over memory that both sides share. */

export interface Cancellation {
  /** Not 0 once nobody wants the result any more; who waits for that is notified. */
  readonly cancelled: Int32Array;
  /** Forgets the signal, and lets go of who waits. */
  end(): void;
}

/** Carries a signal's abort to a thread. */
export function createCancellation(signal: AbortSignal): Cancellation {
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const set = () => {
    Atomics.store(cancelled, 0, 1);
    Atomics.notify(cancelled, 0);
  };
  if (signal.aborted) set();
  signal.addEventListener("abort", set, { once: true });
  return {
    cancelled,
    end() {
      signal.removeEventListener("abort", set);
      Atomics.notify(cancelled, 0);
    },
  };
}
