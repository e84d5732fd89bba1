/**
 * Batches concurrent calls into one query. Calls made while a query runs wait and go together in the
 * next one: under load a request costs a share of a query, and alone it does not wait. One query at a
 * time: two would each answer half as many calls, and cost as much.
 */
import { setTimeout as pause } from "node:timers/promises";

/** Calls in one query. */
const MAX_BATCH = 256;

interface Call<Argument, Result> {
  readonly argument: Argument;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes a function of one argument out of one that takes many and returns as many results, in their
 * order. When that throws, all calls of the batch reject.
 * @param gatherMs the least time between the beginnings of two queries while calls are concurrent, so
 *   that each query answers more of them
 */
export function batchQueries<Argument, Result>(
  queryAll: (batch: readonly Argument[]) => Promise<readonly Result[]>,
  gatherMs = 0,
): (argument: Argument) => Promise<Result> {
  const waiting: Call<Argument, Result>[] = [];
  let isRunning = false;
  let next = Number.NEGATIVE_INFINITY;

  const runAll = async () => {
    isRunning = true;
    while (waiting.length > 0) {
      const early = next - performance.now();
      if (early > 0) await pause(early);
      const batch = waiting.splice(0, MAX_BATCH);
      next = batch.length > 1 ? performance.now() + gatherMs : Number.NEGATIVE_INFINITY;
      try {
        const results = (await queryAll(batch.map(({ argument }) => argument))).values();
        for (const { resolve } of batch) {
          const { done, value } = results.next();
          if (done) throw new Error("a batch returned too few results");
          resolve(value);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  };

  return (argument) =>
    new Promise((resolve, reject) => {
      waiting.push({ argument, resolve, reject });
      // The calls report the errors.
      if (!isRunning) runAll().catch(() => undefined);
    });
}
