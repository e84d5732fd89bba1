/** Counters of requests that all nodes share, by the database's clock. */
import { sql } from "slonik";
import Type from "typebox";
import { batchQueries } from "../connection/batch-queries.ts";
import type {
  PreparedStatementClient,
  Statement,
} from "../connection/prepared-statement-client.ts";
import { type RowOf, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";

/** Uses between two deletions of expired counters. */
const SWEEP_EVERY = 1000;

/** A counter after it was incremented. */
export const counterRow = row({
  key: Type.String(),
  used: Type.Integer(),
  reset_ms: Type.Number(),
});
type Counter = RowOf<typeof counterRow>;

/** How much of a quota has been used in a window of time. */
export interface RateLimitUse {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the window ends and the whole quota is free again. */
  readonly resetMs: number;
}

/**
 * The SQL that increments counters and returns each as a `counterRow`.
 * @param uses a query of `key`, `uses` and `seconds`, the length of a window
 */
export const countUses = (uses: string): string => `
  insert into rate_limits as l (key, used, window_ends)
  select added.key, added.uses, now() + added.seconds * interval '1 second'
  from (${uses}) as added
  -- In one order for all nodes, so that no two deadlock.
  order by added.key
  on conflict (key) do update set
    used = case when l.window_ends <= now() then excluded.used else l.used + excluded.used end,
    window_ends = case when l.window_ends <= now() then excluded.window_ends else l.window_ends end
  returning key, used,
    (extract(epoch from window_ends - now()) * 1000)::double precision as reset_ms`;

const count: Statement<Counter> = {
  name: "count",
  row: counterRow,
  sql: countUses(`
    select key, count(*)::int4 as uses, max(seconds) as seconds
    from unnest($1::text[], $2::int4[]) as one (key, seconds) group by key`),
};

interface Use {
  readonly key: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

/**
 * Returns what each of several uses, counted together under `keys`, is allowed. To be called once for
 * each use, in the order of `keys`: the uses of a key count one after the other.
 */
export function splitUses(keys: readonly string[], counters: readonly Counter[]) {
  const after = new Map(counters.map((counter) => [counter.key, counter]));
  const left = new Map<string, number>();
  for (const key of keys) left.set(key, (left.get(key) ?? 0) + 1);
  return ({ key, quota, windowSeconds }: Use): RateLimitUse => {
    const counter = after.get(key);
    if (!counter) throw new Error(`no counter of ${key} was returned`);
    const later = (left.get(key) ?? 0) - 1;
    left.set(key, later);
    const used = counter.used - later;
    return {
      allowed: used <= quota,
      remaining: Math.max(0, quota - used),
      // A statement that waited for a lock computes the reset from the time before it waited.
      resetMs: Math.min(Math.max(0, counter.reset_ms), windowSeconds * 1000),
    };
  };
}

/** @param onUses is called with the number of uses */
export function rateLimitQueries(session: PreparedStatementClient, onUses: (uses: number) => void) {
  const use = batchQueries(async (uses: readonly Use[]) => {
    onUses(uses.length);
    const keys = uses.map(({ key }) => key);
    const seconds = uses.map(({ windowSeconds }) => windowSeconds);
    return uses.map(splitUses(keys, await session.run(count, [keys, seconds])));
  });
  return {
    /** Counts one use of `key` (at most 200 characters) in its present window, for all nodes. */
    use: (key: string, limit: Omit<Use, "key">) => use({ key, ...limit }),
  };
}

/** Returns a function, to be called with numbers of uses, that now and then deletes expired counters. */
export function sweepRateLimits(pool: Connection): (uses: number) => void {
  let counted = 0;
  return (uses) => {
    counted += uses;
    if (counted < SWEEP_EVERY) return;
    counted = 0;
    // In the background; after a failure the next sweep deletes the rest.
    pool
      .query(sql.unsafe`
        delete from rate_limits where key in (
          select key from rate_limits where window_ends < now() - interval '1 hour'
          for update skip locked)`)
      .catch(() => undefined);
  };
}
