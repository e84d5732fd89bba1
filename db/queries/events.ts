/** Events, and their deliveries to the webhooks that subscribe to them. */
import { sql } from "slonik";
import Type, { type Static, type TObject } from "typebox";
import { idRow, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { createDelivery } from "./create-delivery.ts";

/** Ids of rows: 1, 2, 3, … */
export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [12],
});

const Mockup = Type.Object(
  {
    id: Id,
    product: Type.String({ examples: ["mug"] }),
    url: Type.String({
      format: "uri",
      examples: ["https://patterns.example/api/v1/mockups/12/image"],
    }),
  },
  { additionalProperties: false },
);

/** The fields of each event. */
export const EVENT_FIELDS = {
  "pattern.created": {
    pattern_id: Id,
    source_id: Id,
    group: Type.String({ examples: ["p4"] }),
    name: Type.Union([Type.String(), Type.Null()], { examples: ["Summer tiles"] }),
  },
  "design.applied": {
    handoff_id: Id,
    product_id: Type.Integer({ examples: [77] }),
    status: Type.Enum(["started", "finished"], { examples: ["finished"] }),
    pattern_id: Type.Optional(Id),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        examples: [{ cart: "c-81" }],
        description: "That of the handoff, if it has any.",
      }),
    ),
  },
  "mockup.ready": { pattern_id: Id, mockups: Type.Array(Mockup) },
  "batch.ready": {
    batch_id: Id,
    name: Type.Union([Type.String(), Type.Null()], { examples: ["Spring collection"] }),
    total: Type.Integer({ examples: [240], description: "Number of items." }),
    done: Type.Integer({ examples: [239], description: "Those with a picture." }),
    failed: Type.Integer({ examples: [1], description: "Those with an error." }),
    manifest_url: Type.String({
      format: "uri",
      examples: ["https://patterns.example/api/v1/batches/12/manifest"],
    }),
  },
  "credits.low": {
    credits: Type.Integer({ examples: [9], description: "Balance." }),
    threshold: Type.Integer({ examples: [10] }),
  },
};

export type EventName = keyof typeof EVENT_FIELDS;
export type EventData = {
  [Name in EventName]: Static<TObject<(typeof EVENT_FIELDS)[Name]>>;
};

const eventRow = row({ created_at: Timestamp });

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
    await createDelivery(transaction, { accountId, webhookId: id, event, data, created_at });
  }
}
