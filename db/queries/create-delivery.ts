/** Deliveries of events, created with the bytes that will be sent. */
import { randomUUID } from "node:crypto";
import { sql } from "slonik";
import type { Connection } from "../connection/types.ts";
import { requestJob } from "./outbox.ts";

/** Attempts at a delivery before it has failed. */
export const ATTEMPTS = 5;

interface NewDelivery {
  readonly accountId: number;
  readonly webhookId: number;
  readonly event: string;
  /** The event's own fields. */
  readonly data: object;
  readonly created_at: Date;
}

/** Inserts the delivery of an event to a subscription and requests its first attempt. Returns its id. */
export async function createDelivery(
  transaction: Connection,
  { accountId, webhookId, event, data, created_at }: NewDelivery,
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

/** Requests an attempt, in the webhook's own group, so that a slow receiver takes only its share of places. */
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
