/** Shares concurrent work of the same key; it is cancelled when no caller waits for it any more. */
import { ShortLivedMap } from "./short-lived-map.ts";

interface Work<Result> {
  readonly result: Promise<Result>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * `share` runs the work of a key, or waits for the run in progress. A caller whose signal aborts
 * rejects with its reason; the work's own signal aborts once all callers have left.
 */
export function createSingleFlight<Result>() {
  const inFlight = new ShortLivedMap<string, Work<Result>>();

  const start = (key: string, work: (signal: AbortSignal) => Promise<Result>): Work<Result> => {
    const stop = new AbortController();
    const started: Work<Result> = { result: work(stop.signal), stop, waiting: 0 };
    inFlight.set(key, started);
    const end = () => {
      if (inFlight.get(key) === started) inFlight.delete(key);
    };
    started.result.then(end, end);
    return started;
  };

  const share = async (
    key: string,
    work: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> => {
    signal.throwIfAborted();
    const shared = inFlight.get(key) ?? start(key, work);
    shared.waiting++;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([shared.result, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
      shared.waiting--;
      if (shared.waiting === 0 && signal.aborted) {
        if (inFlight.get(key) === shared) inFlight.delete(key);
        shared.stop.abort(signal.reason);
      }
    }
  };
  /** Whether the work of a key is in progress. */
  const isInFlight = (key: string) => inFlight.has(key);
  return { share, isInFlight };
}
