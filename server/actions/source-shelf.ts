/**
 * The bytes of sources by their SHA-256, with the ones used last kept in memory, so that a
 * series of renders of one pattern reads the database once.
 */
import type { Database } from "../../db/index.ts";

export interface SourceShelf {
  /** The bytes under a content address, or null when nothing is stored under it. */
  read(sha256: string): Promise<Uint8Array | null>;
}

/** A shelf in front of `stored` that keeps at most `maximumBytes` in memory. */
export function createSourceShelf(
  stored: Pick<Database["sources"], "bytes">,
  maximumBytes: number,
): SourceShelf {
  // A Map remembers the order of insertion: the first key is the one used longest ago.
  const kept = new Map<string, Uint8Array>();
  let keptBytes = 0;

  function keep(sha256: string, bytes: Uint8Array) {
    if (bytes.byteLength > maximumBytes || kept.has(sha256)) return;
    kept.set(sha256, bytes);
    keptBytes += bytes.byteLength;
    for (const [oldest, { byteLength }] of kept) {
      if (keptBytes <= maximumBytes) break;
      kept.delete(oldest);
      keptBytes -= byteLength;
    }
  }

  return {
    async read(sha256) {
      const known = kept.get(sha256);
      if (known) {
        kept.delete(sha256);
        kept.set(sha256, known);
        return known;
      }
      const bytes = await stored.bytes(sha256);
      if (bytes) keep(sha256, bytes);
      return bytes;
    },
  };
}
