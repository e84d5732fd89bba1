/** Events on their way out, as they will be sent. */
import { randomUUID } from "node:crypto";
import { sql } from "slonik";
import type { Connection } from "../connection/types.ts";
import { requestJob } from "./outbox.ts";

/** How often it is tried to deliver something, before it is given up or sent again by hand. */
export const ATTEMPTS = 5;

interface Announcement {
  readonly accountId: number;
  readonly webhookId: number;
  readonly event: string;
  /** The event's own fields. */
  readonly data: object;
  readonly created_at: Date;
}

/** Makes the delivery of an event to a subscription and asks for its first attempt. Gives its id. */
export async function announce(
  transaction: Connection,
  { accountId, webhookId, event, data, created_at }: Announcement,
): Promise<string> {
  const id = randomUUID();
  const common = { account_id: accountId, delivery_id: id, created_at: created_at.toISOString() };
  const body = JSON.stringify({ event, data: { ...data, ...common } });
  await transaction.query(sql.unsafe`
    insert into deliveries
      (id, account_id, webhook_id, event, body, status, attempts_allowed, next_attempt_at)
    values (${id}, ${accountId}, ${webhookId}, ${event}, ${body}, 'pending', ${ATTEMPTS}, now())`);
  await requestAttempt(transaction, webhookId, { delivery_id: id, attempt: 1 });
  return id;
}

/** Asks for an attempt. A receiver that is slow keeps others' deliveries from no more than its share. */
export function requestAttempt(
  transaction: Connection,
  webhookId: number,
  data: { delivery_id: string; attempt: number },
  startAfter?: Date,
): Promise<void> {
  const group = `webhook ${webhookId}`;
  return requestJob(transaction, "deliver_webhook", {
    data,
    group,
    ...(startAfter && { startAfter }),
  });
}
