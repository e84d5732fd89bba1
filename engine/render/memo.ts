/** A cache of computed values, keyed by the recipe that determines them. */
import { LRUCache } from "lru-cache";

export interface Memo<Value extends object> {
  /**
   * Resolves with the value of a recipe, computing it if it is not cached. Callers must not change it.
   * @param recipe JSON data that determines the value
   */
  of(recipe: unknown, compute: () => Value | Promise<Value>): Promise<Value>;
}

/**
 * Creates a cache that evicts the least recently used value.
 * @param max number of values
 * @param maximumBytes of all values together
 * @param onEvict called with a value that has been evicted or replaced
 */
export function createMemo<Value extends object>(
  max: number,
  maximumBytes: number,
  bytesOf: (value: Value) => number,
  onEvict?: (value: Value) => void,
): Memo<Value> {
  const values = new LRUCache<string, Value>({
    max,
    maxSize: maximumBytes,
    sizeCalculation: bytesOf,
    ...(onEvict && { dispose: onEvict }),
  });
  return {
    async of(recipe, compute) {
      const key = JSON.stringify(recipe);
      const known = values.get(key);
      if (known !== undefined) return known;
      const value = await compute();
      values.set(key, value);
      return value;
    },
  };
}
