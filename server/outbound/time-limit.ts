import { Unreachable } from "./errors.ts";

/**
 * Runs `work` with a signal that aborts when `signal` does and when `ms` are over. Throws what it
 * aborted with, Unreachable for the time, and otherwise what `work` throws.
 */
export async function withTimeLimit<Result>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const clock = new AbortController();
  const timer = setTimeout(() => {
    clock.abort(new Unreachable(`no complete answer came within ${ms / 1000} seconds`));
  }, ms);
  const either = AbortSignal.any([signal, clock.signal]);
  try {
    return await work(either);
  } catch (error) {
    // An abort breaks work off in many ways, and only the reason tells why.
    either.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
