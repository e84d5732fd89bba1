/** An object store whose calls are measured. */
import type { ObjectStore } from "../db/index.ts";
import { type Measurements, measure } from "./actions/measurements.ts";

type Operation = Measurements["objectStore"]["operation"];
type Result = Measurements["objectStore"]["result"];

/** Runs a call and measures it. `resultOf` returns what is measured where it succeeds. */
async function timed<Value>(
  operation: Operation,
  work: () => Promise<Value>,
  signal?: AbortSignal,
  resultOf: (value: Value) => Result = () => "success",
): Promise<Value> {
  const begun = performance.now();
  const ended = (result: Result) =>
    measure("objectStore", { operation, result, seconds: (performance.now() - begun) / 1000 });
  try {
    const value = await work();
    ended(resultOf(value));
    return value;
  } catch (error) {
    // Who calls may set a time limit: then the store was too slow.
    const isCancelled = signal?.aborted && signal.reason?.name !== "TimeoutError";
    ended(isCancelled ? "cancelled" : "failure");
    throw error;
  }
}

/** Wraps a store. A presigned URL is made without a call. */
export function measuredStore(store: ObjectStore & Disposable): ObjectStore & Disposable {
  return {
    ...store,
    put: (key, body, signal) => timed("put", () => store.put(key, body, signal), signal),
    get: (key, range, signal) =>
      timed(
        "get",
        () => store.get(key, range, signal),
        signal,
        (bytes) => (bytes === null ? "missing" : "success"),
      ),
    delete: (key, signal) => timed("delete", () => store.delete(key, signal), signal),
    async *list(prefix) {
      const pages = store.list(prefix)[Symbol.asyncIterator]();
      for (;;) {
        const page = await timed("list", () => pages.next());
        if (page.done) return;
        yield page.value;
      }
    },
    ping: () => timed("ping", () => store.ping()),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
