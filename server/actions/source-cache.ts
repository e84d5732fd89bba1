/**
 * The bytes of sources by their SHA-256, with the ones used last kept in memory, so that a
 * series of renders of one pattern reads the database once, and so do several at the same moment.
 */
import { LRUCache } from "lru-cache";
import type { Database } from "../../db/index.ts";

export interface SourceCache {
  /** The bytes under a content address, or null when nothing is stored under it. */
  read(sha256: string): Promise<Uint8Array | null>;
}

/** A shelf in front of `stored` that keeps at most `maximumBytes` in memory. */
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
