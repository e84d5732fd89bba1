/** Counters of requests that all nodes share, by the database's clock. */
import Type, { type Static } from "typebox";
import { batched } from "../connection/batch-queries.ts";
import type {
  PreparedStatementClient,
  Statement,
} from "../connection/prepared-statement-client.ts";
import { row } from "../connection/row.ts";
import type { Database, RateLimitUse } from "../types/index.ts";

/** A counter after it was moved on. */
export const Counter = Type.Object({
  key: Type.String(),
  used: Type.Integer(),
  reset_ms: Type.Number(),
});
export type Counter = Static<typeof Counter>;

/**
 * The SQL that moves counters on; gives each as a `Counter`.
 * @param asked a query of `key`, `uses` and `seconds`, which is how long a window lasts
 */
export const countUses = (asked: string): string => `
  insert into rate_limits as l (key, used, window_ends)
  select asked.key, asked.uses, now() + asked.seconds * interval '1 second'
  from (${asked}) as asked
  -- In one order for all nodes, so that no two wait for each other.
  order by asked.key
  on conflict (key) do update set
    used = case when l.window_ends <= now() then excluded.used else l.used + excluded.used end,
    window_ends = case when l.window_ends <= now() then excluded.window_ends else l.window_ends end
  returning key, used,
    (extract(epoch from window_ends - now()) * 1000)::double precision as reset_ms`;

const count: Statement<Counter> = {
  name: "count",
  row: row(Counter),
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
 * What each of those who were counted together may do, in their order: the ones of a key had their turn
 * one after the other.
 */
export function inTurn(uses: readonly Use[], counters: readonly Counter[]): RateLimitUse[] {
  const after = new Map(counters.map((counter) => [counter.key, counter]));
  const left = new Map<string, number>();
  for (const { key } of uses) left.set(key, (left.get(key) ?? 0) + 1);
  return uses.map(({ key, quota, windowSeconds }) => {
    const { used, reset_ms } = after.get(key) as Counter;
    const later = (left.get(key) ?? 0) - 1;
    left.set(key, later);
    const mine = used - later;
    return {
      allowed: mine <= quota,
      remaining: Math.max(0, quota - mine),
      // A statement that waited for another one looks at the window from before it began.
      resetMs: Math.min(Math.max(0, reset_ms), windowSeconds * 1000),
    };
  });
}

/**
 * The queries about rate limits; their contract is the door's.
 * @param swept hears how many uses were counted
 */
export function rateLimitQueries(
  session: PreparedStatementClient,
  swept: (uses: number) => void,
): Database["rateLimits"] {
  const use = batched(async (asked: readonly Use[]) => {
    swept(asked.length);
    const keys = asked.map(({ key }) => key);
    const seconds = asked.map(({ windowSeconds }) => windowSeconds);
    return inTurn(asked, await session.run(count, [keys, seconds]));
  });
  return { use: (key, limit) => use({ key, ...limit }) };
}
