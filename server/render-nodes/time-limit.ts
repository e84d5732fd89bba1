/** Limits the time of queries. */
import { setTimeout as delay } from "node:timers/promises";

/** Settles like `work`, or rejects if that takes longer. */
export async function withTimeLimit<Result>(
  work: Promise<Result>,
  milliseconds: number,
): Promise<Result> {
  const ended = new AbortController();
  const late = delay(milliseconds, undefined, { ref: false, signal: ended.signal }).then(() => {
    throw new Error(`the database did not answer within ${milliseconds / 1000} s`);
  });
  return Promise.race([work, late]).finally(() => ended.abort());
}
