/** Prepared sources in shared memory, held by the main thread: each is prepared once for all threads. */
import { LRUCache } from "lru-cache";
import { markEvicted } from "../image/source-levels.ts";

export interface SourceStore {
  /**
   * Resolves with the memory of a source's levels, or with null for the first that asks for it, who
   * prepares them and calls `settle`. Others wait for that.
   */
  claim(sha256: string): Promise<SharedArrayBuffer | null>;
  /** Keeps the memory of prepared levels, or lets the next one prepare them if it is null. */
  settle(sha256: string, memory: SharedArrayBuffer | null): void;
}

/** @param maximumBytes beyond which the least recently used sources are let go */
export function createSourceStore(maximumBytes: number): SourceStore {
  const kept = new LRUCache<string, SharedArrayBuffer>({
    maxSize: maximumBytes,
    sizeCalculation: ({ byteLength }) => byteLength,
    dispose: markEvicted,
  });
  const claimed = new Map<string, PromiseWithResolvers<void>>();
  return {
    async claim(sha256) {
      for (;;) {
        const memory = kept.get(sha256);
        if (memory !== undefined) return memory;
        const preparing = claimed.get(sha256);
        if (preparing === undefined) {
          claimed.set(sha256, Promise.withResolvers());
          return null;
        }
        await preparing.promise;
      }
    },
    settle(sha256, memory) {
      if (memory !== null) kept.set(sha256, memory);
      claimed.get(sha256)?.resolve();
      claimed.delete(sha256);
    },
  };
}
