/** Counters of requests that all nodes share, by the database's clock. */
import { sql } from "slonik";
import Type from "typebox";
import type { Connection } from "../connection.ts";
import type { Database } from "../door.ts";
import { row } from "../row.ts";

/** After so many uses one process removes windows that are long over. */
const SWEEP_EVERY = 1000;

const useRow = row(Type.Object({ used: Type.Integer(), reset_ms: Type.Number() }));

/** The queries about rate limits; their contract is the door's. */
export function rateLimitQueries(pool: Connection): Database["rateLimits"] {
  let uses = 0;
  return {
    async use(key, { quota, windowSeconds }) {
      uses += 1;
      if (uses % SWEEP_EVERY === 0) {
        await pool.query(sql.unsafe`
          delete from rate_limits where window_ends < now() - interval '1 hour'`);
      }
      const end = sql.fragment`now() + ${`${windowSeconds} s`}::interval`;
      const { used, reset_ms } = await pool.one(sql.type(useRow)`
        insert into rate_limits as l (key, used, window_ends) values (${key}, 1, ${end})
        on conflict (key) do update set
          used = case when l.window_ends <= now() then 1 else l.used + 1 end,
          window_ends = case when l.window_ends <= now() then excluded.window_ends
            else l.window_ends end
        returning used,
          (extract(epoch from window_ends - now()) * 1000)::double precision as reset_ms`);
      return {
        allowed: used <= quota,
        remaining: Math.max(0, quota - used),
        // A statement that waited for another one looks at the window from before it began.
        resetMs: Math.min(Math.max(0, reset_ms), windowSeconds * 1000),
      };
    },
  };
}
