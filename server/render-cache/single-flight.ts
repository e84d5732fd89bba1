/** Work that several wait for: done once, and given up when none of them waits any more. */

interface Work<Result> {
  readonly result: Promise<Result>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Gives a function that does the work of a name, or joins in waiting for it where it is being done
 * already. Whoever's signal aborts leaves with its reason; the work's own signal aborts once all
 * have left.
 */
export function createSingleFlight<Result>() {
  const underWay = new Map<string, Work<Result>>();

  const begin = (name: string, work: (signal: AbortSignal) => Promise<Result>): Work<Result> => {
    const stop = new AbortController();
    const begun: Work<Result> = { result: work(stop.signal), stop, waiting: 0 };
    underWay.set(name, begun);
    const end = () => {
      if (underWay.get(name) === begun) underWay.delete(name);
    };
    begun.result.then(end, end);
    return begun;
  };

  const share = async (
    name: string,
    work: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> => {
    signal.throwIfAborted();
    const shared = underWay.get(name) ?? begin(name, work);
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
        if (underWay.get(name) === shared) underWay.delete(name);
        shared.stop.abort(signal.reason);
      }
    }
  };
  /** Whether the work of a name is being done. */
  const isUnderWay = (name: string) => underWay.has(name);
  return { share, isUnderWay };
}
