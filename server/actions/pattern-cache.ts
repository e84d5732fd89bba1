/**
 * Patterns with their sources, the ones used last in memory: who knows which version the database has at
 * this moment need not read it again. A version never changes, and its source cannot go before it.
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
  /** The names of its renders by their fields as JSON, for those who make names to keep them. */
  readonly names: LRUCache<string, string>;
}

export interface PatternCache {
  /**
   * The pattern of an account in the version that the database was seen to have for this account while
   * the request was there. Null where nobody looked: then it is what `load` reads, and is not kept.
   */
  take(
    accountId: number,
    id: number,
    version: number | null,
    load: () => Promise<StoredPattern>,
  ): Promise<CachedPattern>;
}

/** Names that are kept of one pattern. */
const NAMES = 64;

/** A shelf of so many patterns. */
export function createPatternCache(atMost: number): PatternCache {
  const kept = new LRUCache<number, CachedPattern>({ max: atMost });
  return {
    async take(accountId, id, version, load) {
      const known = version === null ? undefined : kept.get(id);
      if (known?.pattern.version === version && known?.pattern.account_id === accountId) {
        return known;
      }
      const found = { ...(await load()), names: new LRUCache<string, string>({ max: NAMES }) };
      if (version !== null) kept.set(id, found);
      return found;
    },
  };
}
