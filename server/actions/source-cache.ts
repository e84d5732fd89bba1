/**
 * Cache of sources' bytes by their SHA-256, so that consecutive and concurrent renders of one pattern
 * read the database once.
 */
import { LRUCache } from "lru-cache";
import type { Database } from "../../db/index.ts";

export interface SourceCache {
  /** Returns the bytes with this SHA-256, or null. */
  read(sha256: string): Promise<Uint8Array | null>;
}

/** Creates a cache of at most `maximumBytes` over `stored`. */
export function createSourceCache(
  stored: Pick<Database["sources"], "bytes">,
  maximumBytes: number,
): SourceCache {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: maximumBytes,
    sizeCalculation: (bytes) => Math.max(1, bytes.byteLength),
  });
  const reading = new Map<string, Promise<Uint8Array | null>>();

  const readStored = async (sha256: string) => {
    try {
      const bytes = await stored.bytes(sha256);
      if (bytes) kept.set(sha256, bytes);
      return bytes;
    } finally {
      reading.delete(sha256);
    }
  };
  return {
    async read(sha256) {
      const known = kept.get(sha256) ?? reading.get(sha256);
      if (known) return known;
      const read = readStored(sha256);
      reading.set(sha256, read);
      return read;
    },
  };
}
