/** What a worker has computed and keeps for the next part of the same sheet. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

export interface Memo<Value extends object> {
  /**
   * What follows from a recipe, computed unless it is kept. Nobody may change it.
   * @param recipe all that the value follows from, as JSON has it
   */
  of(recipe: unknown, compute: () => Value | Promise<Value>): Promise<Value>;
}

/**
 * Keeps what was used last.
 * @param max so many values at most
 * @param maximumBytes of all values together
 */
export function createMemo<Value extends object>(
  max: number,
  maximumBytes: number,
  bytesOf: (value: Value) => number,
): Memo<Value> {
  const values = new LRUCache<string, Value>({
    max,
    maxSize: maximumBytes,
    sizeCalculation: bytesOf,
  });
  return {
    async of(recipe, compute) {
      const key = createHash("sha256").update(JSON.stringify(recipe)).digest("base64");
      const known = values.get(key);
      if (known !== undefined) return known;
      const value = await compute();
      values.set(key, value);
      return value;
    },
  };
}
