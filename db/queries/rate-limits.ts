/** Counters of requests that all nodes share, by the database's clock. */
import { sql } from "slonik";
import Type from "typebox";
import { batched } from "../batched.ts";
import type { Connection } from "../connection.ts";
import type { Database, RateLimitUse } from "../door.ts";
import { row } from "../row.ts";

/** After so many uses one process removes windows that are long over. */
const SWEEP_EVERY = 1000;

const useRow = row(
  Type.Object({ key: Type.String(), used: Type.Integer(), reset_ms: Type.Number() }),
);

interface Use {
  readonly key: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

/** The queries about rate limits; their contract is the door's. */
export function rateLimitQueries(pool: Connection): Database["rateLimits"] {
  let uses = 0;
  const sweep = (more: number) => {
    const isDue = Math.floor((uses + more) / SWEEP_EVERY) > Math.floor(uses / SWEEP_EVERY);
    uses += more;
    if (!isDue) return;
    // Nobody waits for it, and what it leaves the next one finds.
    pool
      .query(sql.unsafe`
        delete from rate_limits where key in (
          select key from rate_limits where window_ends < now() - interval '1 hour'
          for update skip locked)`)
      .catch(() => undefined);
  };
  const use = batched(async (asked: readonly Use[]) => {
    sweep(asked.length);
    const byKey = Map.groupBy(asked, ({ key }) => key);
    const rows = [...byKey].map(([key, [first, ...others]]) => [
      key,
      1 + others.length,
      first?.windowSeconds ?? 0,
    ]);
    const counted = await pool.any(sql.type(useRow)`
      insert into rate_limits as l (key, used, window_ends)
      select asked.key, asked.uses, now() + asked.seconds * interval '1 second'
      from ${sql.unnest(rows, ["text", "int4", "float8"])} as asked (key, uses, seconds)
      -- In one order for all nodes, so that no two wait for each other.
      order by asked.key
      on conflict (key) do update set
        used = case when l.window_ends <= now() then excluded.used else l.used + excluded.used end,
        window_ends = case when l.window_ends <= now() then excluded.window_ends
          else l.window_ends end
      returning key, used,
        (extract(epoch from window_ends - now()) * 1000)::double precision as reset_ms`);
    const after = new Map(counted.map((one) => [one.key, one]));
    // Those of a key who came together had their turn one after the other.
    const before = new Map([...byKey].map(([key, { length }]) => [key, -length]));
    return asked.map(({ key, quota, windowSeconds }): RateLimitUse => {
      const { used, reset_ms } = after.get(key) as (typeof counted)[number];
      const turn = (before.get(key) ?? 0) + 1;
      before.set(key, turn);
      const mine = used + turn;
      return {
        allowed: mine <= quota,
        remaining: Math.max(0, quota - mine),
        // A statement that waited for another one looks at the window from before it began.
        resetMs: Math.min(Math.max(0, reset_ms), windowSeconds * 1000),
      };
    });
  });
  return { use: (key, limit) => use({ key, ...limit }) };
}
