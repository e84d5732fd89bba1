import { sql } from "slonik";
import Type from "typebox";
import { Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";

const secondsRow = row({ seconds: Nullable(Type.Integer()) });

/** Whether the tables of the job engine exist: they do once a service has run. */
export const hasJobEngine = (pool: Connection): Promise<boolean> =>
  pool.exists(sql.unsafe`select where to_regclass('pgboss.job') is not null`);

/** Seconds that the oldest due job has waited; 0 if none. */
export async function oldestJobSeconds(pool: Connection): Promise<number> {
  const taken = (await hasJobEngine(pool))
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

const backlogRow = row({
  queue: Type.String(),
  /** Jobs that wait to be taken. */
  due: Type.Integer(),
  /** Jobs that wait for their time, such as the next attempt of a delivery. */
  later: Type.Integer(),
  active: Type.Integer(),
  /** Jobs that were given up after as many faults as are allowed; they are kept for a day. */
  failed: Type.Integer(),
  /** How long the oldest job that is due has waited. */
  oldest_seconds: Type.Integer(),
});

/** Counts the jobs of each queue. Empty before a service has run. */
export async function jobBacklog(pool: Connection) {
  if (!(await hasJobEngine(pool))) return [];
  return pool.any(sql.type(backlogRow)`
    select
      queue.name as queue,
      (count(*) filter (where is_due))::integer as due,
      (count(*) filter (where state < 'active' and not is_due))::integer as later,
      (count(*) filter (where state = 'active'))::integer as active,
      (count(*) filter (where state = 'failed'))::integer as failed,
      greatest(0, coalesce(extract(epoch from now() - min(since) filter (where is_due)), 0))::integer
        as oldest_seconds
    from pgboss.queue left join (
      select name, state, start_after as since, state < 'active' and start_after <= now() as is_due
      from pgboss.job where state not in ('completed', 'cancelled')
      union all
      select queue, 'created', coalesce(start_after, created_at),
        coalesce(start_after, created_at) <= now()
      from outbox
    ) as jobs on jobs.name = queue.name
    where not queue.name like '\\_\\_pgboss%'
    group by queue.name order by queue.name`);
}
