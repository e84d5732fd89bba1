import { sql } from "slonik";
import type { Connection } from "../connection/types.ts";
import type { Retention } from "./retention.ts";

const REASON = "the account was frozen";

/**
 * Ends the exports and mockups of an account that are not done: they have failed, and the runs at
 * them are superseded. A mockup that was drawn before keeps its picture.
 */
export async function endJobsOf(
  transaction: Connection,
  accountId: number,
  retention: Retention,
): Promise<void> {
  const waiting = sql.fragment`account_id = ${accountId} and status in ('queued', 'running')`;
  // Before any counter of usage is, as where a run ends.
  await transaction.query(sql.unsafe`
    select from exports where ${waiting} order by id for update`);
  await transaction.query(sql.unsafe`
    select from mockups where ${waiting} order by id for update`);
  await transaction.query(sql.unsafe`
    with ended as (
      update exports set status = 'failed', error = ${REASON}, counted_bytes = 0,
        finished_at = now(), expires_at = now() + ${`${retention.exports} d`}::interval
      where ${waiting} returning id)
    delete from export_chunks where export_id in (select id from ended)`);
  // Of another batch, so that the job that draws them finds none of its own.
  await transaction.query(sql.unsafe`
    update mockups set batch = gen_random_uuid(), finished_at = now(),
      status = case when sha256 is null then 'failed' else 'done' end,
      error = case when sha256 is null then ${REASON} end,
      counted_bytes = coalesce(image_bytes, octet_length(image), 0)
    where ${waiting}`);
}
