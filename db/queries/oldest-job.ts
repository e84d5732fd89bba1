import { sql } from "slonik";
import Type from "typebox";
import { Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";

const secondsRow = row({ seconds: Nullable(Type.Integer()) });

/** For how many seconds the oldest job that is due has waited to be taken; 0 where none waits. */
export async function oldestJobSeconds(pool: Connection): Promise<number> {
  // The tables of the job engine exist once a service has run.
  const hasEngine = await pool.exists(
    sql.unsafe`select where to_regclass('pgboss.job') is not null`,
  );
  const taken = hasEngine
    ? sql.fragment`union all
        select min(start_after) from pgboss.job where state < 'active' and start_after <= now()`
    : sql.fragment``;
  const { seconds } = await pool.one(sql.type(secondsRow)`
    select extract(epoch from now() - min(since))::integer as seconds from (
      select min(coalesce(start_after, created_at)) from outbox
      where start_after is null or start_after <= now()
      ${taken}
    ) as waiting (since)`);
  return Math.max(0, seconds ?? 0);
}
