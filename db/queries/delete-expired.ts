/** Deletes what is kept for a limited time. */
import { type FragmentSqlToken, sql } from "slonik";
import type { Connection } from "../connection/types.ts";
import type { Retention } from "../retention.ts";

/** Rows that a statement deletes, so that none holds locks for long. */
const BATCH = 10_000;

const before = (days: number) => sql.fragment`now() - ${`${days} d`}::interval`;

/**
 * Deletes what has expired and what is older than its retention, at most 10,000 rows of a table. Any
 * number of processes may do so at the same time.
 */
export async function deleteExpired(pool: Connection, retention: Retention): Promise<void> {
  const remove = async (table: string, chosen: FragmentSqlToken) => {
    const rows = sql.identifier([table]);
    // Locks the rows in one order, so that concurrent deletions do not deadlock.
    await pool.query(sql.unsafe`
      delete from ${rows} where id in (
        select id from ${rows} as old where ${chosen}
        order by id limit ${BATCH} for update skip locked)`);
  };
  await remove("exports", sql.fragment`expires_at <= now()`);
  await remove("pinned_renders", sql.fragment`expires_at <= now()`);
  await remove("deliveries", sql.fragment`created_at < ${before(retention.deliveries)}`);
  // By the ids of the oldest, as no index has the time.
  await remove(
    "events",
    sql.fragment`created_at < ${before(retention.events)}
      and id < (select min(id) from events) + ${BATCH}`,
  );
  await remove(
    "handoffs",
    sql.fragment`finished_at is null and created_at < ${before(retention.handoffs)}
      and not exists (select from handoff_recipes where handoff_id = old.id)
      and not exists (select from patterns where handoff_id = old.id)
      and not exists (select from sources where handoff_id = old.id)`,
  );
}
