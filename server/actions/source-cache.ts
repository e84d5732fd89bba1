/**
 * Cache of sources' bytes by their SHA-256, so that the renders of a new source do not read the database, and those of
 * an old one read it once.
 */
import { LRUCache } from "lru-cache";
import type { Database } from "../../db/index.ts";

export interface SourceCache {
  /** Returns the bytes with this SHA-256, or null. */
  read(sha256: string): Promise<Uint8Array | null>;
  /** Keeps the bytes of a source that has been stored, unless they are many and not in shared memory. */
  keep(sha256: string, bytes: Uint8Array): void;
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
    keep(sha256, bytes) {
      // What an upload was received in may be much larger.
      if (bytes.byteLength <= COPIED_BYTES) kept.set(sha256, copyInSharedMemory(bytes));
      else if (bytes.buffer instanceof SharedArrayBuffer) kept.set(sha256, bytes);
    },
  };
}

/** Bytes of a source that the event loop copies at most. */
const COPIED_BYTES = 4 * 1024 * 1024;

/** Returns a copy that threads can read. */
function copyInSharedMemory(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return shared;
}
