/**
 * Cache of patterns with their sources, validated by the pattern's current version. A version never
 * changes, and its source cannot be deleted before it.
 */
import { LRUCache } from "lru-cache";
import type { Pattern } from "../../db/index.ts";
import type { Checked, Design, Measures, RenderFields, Size } from "../../engine/index.ts";

/** A pattern in one version. */
export interface StoredPattern {
  readonly pattern: Pattern;
  readonly design: Checked<Design>;
  readonly source: Pattern["source"];
}

/** A checked render: what it is a picture of, its sizes and its fingerprint. Nothing is rendered yet. */
export interface RenderPlan {
  readonly accountId: number;
  /** What the picture's file is named after. */
  readonly pattern: Pick<Pattern, "id" | "name" | "group">;
  readonly design: Checked<Design>;
  readonly source: Pick<Pattern["source"], "sha256">;
  readonly fields: Checked<RenderFields>;
  /** Of the picture, in pixels. */
  readonly size: Size;
  readonly measures: Measures;
  /** Identifies the picture's bytes, as `pictureFingerprint` returns it. */
  readonly fingerprint: string;
}

export interface CachedPattern extends StoredPattern {
  /** Plans of its renders by their fields as JSON. */
  readonly plans: LRUCache<string, RenderPlan>;
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
  /** Caches a pattern that was just stored. */
  add(stored: StoredPattern): CachedPattern;
}

/** Maximum number of plans of one pattern. */
const MAX_PLANS = 64;

/** Creates a cache of so many patterns. */
export function createPatternCache(atMost: number): PatternCache {
  const cached = new LRUCache<number, CachedPattern>({ max: atMost });
  const withPlans = (stored: StoredPattern): CachedPattern => ({
    ...stored,
    plans: new LRUCache<string, RenderPlan>({ max: MAX_PLANS }),
  });
  const add = (stored: StoredPattern) => {
    const added = withPlans(stored);
    cached.set(stored.pattern.id, added);
    return added;
  };
  return {
    add,
    async getOrLoad(accountId, id, version, load) {
      const known = version === null ? undefined : cached.get(id);
      if (known?.pattern.version === version && known?.pattern.account_id === accountId) {
        return known;
      }
      return version === null ? withPlans(await load()) : add(await load());
    },
  };
}
