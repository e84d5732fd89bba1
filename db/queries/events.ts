/** What happened, for those who want to be told of it. */
import { sql } from "slonik";
import Type from "typebox";
import { Instant, idRow, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { EventData, EventName } from "../types/index.ts";
import { announce } from "./announcements.ts";

const eventRow = row(Type.Object({ created_at: Instant }));

/**
 * Notes an event in the transaction of the thing that happened, and sends it on its way to those who
 * subscribed to it, so that nothing is announced that did not happen and nothing that happened is lost.
 * @param happenedAt left out: when the transaction began
 */
export async function recordEvent<Name extends EventName>(
  transaction: Connection,
  accountId: number,
  event: Name,
  data: EventData[Name],
  happenedAt = sql.fragment`now()`,
): Promise<void> {
  const { created_at } = await transaction.one(sql.type(eventRow)`
    insert into events (account_id, event, data, created_at)
    values (${accountId}, ${event}, ${JSON.stringify(data)}::jsonb, ${happenedAt})
    returning created_at`);
  // Held, so that none is removed while deliveries to it are made.
  const webhooks = await transaction.any(sql.type(idRow)`
    select id from webhooks
    where account_id = ${accountId} and disabled_reason is null and ${event} = any(events)
    order by id for key share`);
  for (const { id } of webhooks) {
    await announce(transaction, { accountId, webhookId: id, event, data, created_at });
  }
}
