/** Jobs that are asked for in the transaction of the thing that calls for them. */
import { randomUUID } from "node:crypto";
import { sql } from "slonik";
import type { Connection } from "../connection/types.ts";
import type { JobData, QueueName } from "../types/index.ts";

/** The channel on which it is told that something was put in. */
export const OUTBOX_CHANNEL = "outbox";

interface JobRequest<Queue extends QueueName> {
  readonly data: JobData[Queue];
  /** Jobs of one group leave places for those of others. */
  readonly group: string;
  /** Left out: at once. */
  readonly startAfter?: Date;
}

/** Asks for a job; it runs some time after the transaction has committed, and not if it does not. */
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
