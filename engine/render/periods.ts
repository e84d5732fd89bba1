/** Periods of patterns that a worker has computed, kept for the next part of the same sheet. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Samples } from "./samples.ts";

export interface Periods {
  /**
   * The period of that recipe, computed unless it is kept. Nobody may change its pixels.
   * @param recipe all that the pixels follow from, as JSON has it
   */
  kept(recipe: unknown, compute: () => Promise<Samples>): Promise<Samples>;
}

/**
 * Keeps periods.
 * @param maximumBytes of all of them together
 */
export function createPeriods(maximumBytes: number): Periods {
  const periods = new LRUCache<string, Samples>({
    maxSize: maximumBytes,
    sizeCalculation: ({ colour, alpha }) => colour.byteLength + (alpha?.byteLength ?? 0),
  });
  return {
    async kept(recipe, compute) {
      const key = createHash("sha256").update(JSON.stringify(recipe)).digest("base64");
      const known = periods.get(key);
      if (known !== undefined) return known;
      const period = await compute();
      periods.set(key, period);
      return period;
    },
  };
}
