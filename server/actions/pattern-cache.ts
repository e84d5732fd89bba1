/**
 * Cache of patterns with their sources, validated by the pattern's current version. A version never
 * changes, and its source cannot be deleted before it.
 */
import { LRUCache } from "lru-cache";
import type { Pattern, Source } from "../../db/index.ts";
import type { Checked, Design } from "../../engine/index.ts";

/** A pattern in one version. */
export interface StoredPattern {
  readonly pattern: Pattern;
  readonly design: Checked<Design>;
  readonly source: Source;
}

export interface CachedPattern extends StoredPattern {
  /** The fingerprints of its renders by their fields as JSON. */
  readonly fingerprints: LRUCache<string, string>;
}

export interface PatternCache {
  /**
   * Returns an account's pattern in `version`, which was read from the database during this request.
   * If it is null, the pattern is loaded and not cached.
   */
  getOrLoad(
    accountId: number,
    id: number,
    version: number | null,
    load: () => Promise<StoredPattern>,
  ): Promise<CachedPattern>;
}

/** Maximum number of fingerprints of one pattern. */
const MAX_FINGERPRINTS = 64;

/** Creates a cache of so many patterns. */
export function createPatternCache(atMost: number): PatternCache {
  const cached = new LRUCache<number, CachedPattern>({ max: atMost });
  return {
    async getOrLoad(accountId, id, version, load) {
      const known = version === null ? undefined : cached.get(id);
      if (known?.pattern.version === version && known?.pattern.account_id === accountId) {
        return known;
      }
      const found = {
        ...(await load()),
        fingerprints: new LRUCache<string, string>({ max: MAX_FINGERPRINTS }),
      };
      if (version !== null) cached.set(id, found);
      return found;
    },
  };
}
