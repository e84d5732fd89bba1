/** Time limits of work that cannot be cancelled, such as queries on a connection that was cut off. */
import { setTimeout as delay } from "node:timers/promises";

/** Settles like `work`, or rejects if that takes longer. */
export async function withTimeLimit<Result>(
  work: Promise<Result>,
  milliseconds: number,
): Promise<Result> {
  const ended = new AbortController();
  const late = delay(milliseconds, undefined, { ref: false, signal: ended.signal }).then(() => {
    throw new Error(`no answer within ${milliseconds / 1000} s`);
  });
  return Promise.race([work, late]).finally(() => ended.abort());
}

/** Resolves with the result of `work`; null if it rejects or takes longer. */
export const resultWithinTimeLimit = <Result>(
  work: Promise<Result>,
  milliseconds: number,
): Promise<Result | null> => withTimeLimit(work, milliseconds).catch(() => null);
