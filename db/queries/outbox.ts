/** The outbox: jobs that are requested in the transaction of the change that calls for them. */
import { randomUUID } from "node:crypto";
import { sql } from "slonik";
import type { Connection } from "../connection/types.ts";
import type { JobData, QueueName } from "../jobs/types.ts";

/** The channel that notifies of new rows. */
export const OUTBOX_CHANNEL = "outbox";

interface JobRequest<Queue extends QueueName> {
  readonly data: JobData[Queue];
  /** The places of a queue are shared fairly between groups. */
  readonly group: string;
  /** Default: at once. */
  readonly startAfter?: Date;
}

/** Requests a job; it runs after the transaction has committed, and not if it is rolled back. */
export async function requestJob<Queue extends QueueName>(
  transaction: Connection,
  queue: Queue,
  { data, group, startAfter }: JobRequest<Queue>,
): Promise<void> {
  await transaction.query(sql.unsafe`
    insert into outbox (id, queue, "group", data, start_after)
    values (${randomUUID()}, ${queue}, ${group}, ${JSON.stringify(data)}::jsonb,
      ${startAfter?.toISOString() ?? null})`);
  await transaction.query(sql.unsafe`select pg_notify(${OUTBOX_CHANNEL}, '')`);
}
