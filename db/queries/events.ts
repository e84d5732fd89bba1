/** Events, and their deliveries to the webhooks that subscribe to them. */
import { sql } from "slonik";
import { Instant, idRow, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { announce } from "./announcements.ts";

/** The fields of each event. */
export interface EventData {
  readonly "pattern.created": {
    readonly pattern_id: number;
    readonly source_id: number;
    readonly group: string;
    readonly name: string | null;
  };
  readonly "design.applied": {
    readonly handoff_id: number;
    readonly product_id: number;
    readonly pattern_id?: number;
  };
  readonly "mockup.ready": {
    readonly pattern_id: number;
    readonly mockups: readonly {
      readonly id: number;
      readonly product: string;
      readonly url: string;
    }[];
  };
  readonly "credits.low": { readonly credits: number; readonly threshold: number };
}
export type EventName = keyof EventData;

const eventRow = row({ created_at: Instant });

/**
 * Records an event and makes its deliveries in the transaction of the change itself, so that an event is
 * announced exactly when its change is committed.
 * @param happenedAt default: the start of the transaction
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
  // Locked, so that none is deleted while deliveries to it are made.
  const webhooks = await transaction.any(sql.type(idRow)`
    select id from webhooks
    where account_id = ${accountId} and disabled_reason is null and ${event} = any(events)
    order by id for key share`);
  for (const { id } of webhooks) {
    await announce(transaction, { accountId, webhookId: id, event, data, created_at });
  }
}
