/** Long lists are worked through in slices, between which other requests get the event loop. */
import { setImmediate } from "node:timers/promises";

const SLICE_MS = 5;

/** Returns what `work` returns for each item. Throws what `work` throws. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let end = performance.now() + SLICE_MS;
  for (const [index, item] of items.entries()) {
    results.push(work(item, index));
    if (performance.now() < end) continue;
    await setImmediate();
    end = performance.now() + SLICE_MS;
  }
  return results;
}
