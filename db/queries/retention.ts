/** How long finished things are kept, and their deletion. */
import { type FragmentSqlToken, sql } from "slonik";
import type { Connection } from "../connection/types.ts";

export const RETENTIONS = ["exports", "batches", "deliveries", "events", "handoffs"] as const;

/**
 * Days that exports with their files and batches are kept after they finished, deliveries and events after they were
 * made, and handoffs with which no customer returned. Of those, the ones with sources or patterns stay.
 */
export type Retention = Readonly<Record<(typeof RETENTIONS)[number], number>>;

/** For a deployment that sets none. */
export const DEFAULT_RETENTION: Retention = {
  exports: 7,
  batches: 7,
  deliveries: 30,
  events: 30,
  handoffs: 90,
};

/** Rows that a statement deletes at most, so that none holds locks for long. */
const BATCH = 10_000;

/** Batches, each with up to ten thousand items. */
const FEW = 10;

const before = (days: number) => sql.fragment`now() - ${`${days} d`}::interval`;

/** Deletes what has expired and what is older than its retention. Several processes may do so at a time. */
export async function deleteExpired(pool: Connection, retention: Retention): Promise<void> {
  const remove = async (table: string, chosen: FragmentSqlToken, most = BATCH) => {
    const rows = sql.identifier([table]);
    for (let deleted = most; deleted === most; ) {
      // Locks the rows in one order, so that concurrent deletions do not deadlock.
      const { rowCount } = await pool.query(sql.unsafe`
        delete from ${rows} where id in (
          select id from ${rows} as old where ${chosen} order by id limit ${most} for update)`);
      deleted = rowCount;
    }
  };
  await remove("exports", sql.fragment`expires_at <= now()`);
  await remove("batches", sql.fragment`expires_at <= now()`, FEW);
  await remove("pinned_renders", sql.fragment`expires_at <= now()`);
  await remove("deliveries", sql.fragment`created_at < ${before(retention.deliveries)}`);
  // Of the oldest only, as no index has the time.
  await remove(
    "events",
    sql.fragment`created_at < ${before(retention.events)}
      and id in (select id from events order by id limit ${BATCH})`,
  );
  await remove(
    "handoffs",
    sql.fragment`finished_at is null and created_at < ${before(retention.handoffs)}
      and not exists (select from patterns where handoff_id = old.id)
      and not exists (select from sources where handoff_id = old.id)`,
  );
}
