/** An abort on its way into a thread: a number over memory that both sides share. */

export interface Cancellation {
  /** Not 0 once nobody wants the result any more. */
  readonly cancelled: Int32Array;
  /** Says so; as an abort of the signal does. */
  leave(): void;
  /** Forgets the signal. */
  end(): void;
}

/**
 * Carries a signal's abort to a thread.
 * @param onLeave called as often as somebody leaves, after the number is set
 */
export function createCancellation(
  signal: AbortSignal | undefined,
  onLeave: () => void = () => undefined,
): Cancellation {
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const leave = () => {
    Atomics.store(cancelled, 0, 1);
    onLeave();
  };
  signal?.addEventListener("abort", leave, { once: true });
  return { cancelled, leave, end: () => signal?.removeEventListener("abort", leave) };
}

/** Throws what the signal aborts with, in place of whatever work that was cancelled throws. */
export async function cancellable<Result>(
  signal: AbortSignal | undefined,
  work: (cancelled: Int32Array) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const { cancelled, end } = createCancellation(signal);
  try {
    return await work(cancelled);
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    end();
  }
}
