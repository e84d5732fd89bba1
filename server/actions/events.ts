import Type, { type TProperties } from "typebox";
import type { EventName } from "../../db/index.ts";
import { GROUP_NAMES } from "../../engine/index.ts";
import { Id, Moment, strict } from "./fields.ts";

interface EventKind {
  readonly about: string;
  readonly fields: TProperties;
}

export const EVENTS = {
  "pattern.created": {
    about: "A pattern was made.",
    fields: {
      pattern_id: Id,
      source_id: Id,
      group: Type.Enum([...GROUP_NAMES], { examples: ["p4"] }),
      name: Type.Union([Type.String(), Type.Null()], { examples: ["Summer tiles"] }),
    },
  },
  "design.applied": {
    about: "A design was started for a product of a shop, through a handoff to the editor.",
    fields: {
      handoff_id: Id,
      product_id: Type.Integer({ examples: [77] }),
      pattern_id: Type.Optional(Id),
    },
  },
  "mockup.ready": {
    about: "The mockups of a pattern that were ordered together can be fetched, with a key.",
    fields: {
      pattern_id: Id,
      mockups: Type.Array(
        Type.Object(
          {
            id: Id,
            product: Type.String({ examples: ["mug"] }),
            url: Type.String({
              format: "uri",
              examples: ["https://patterns.example/api/v1/mockups/12/image"],
            }),
          },
          strict,
        ),
      ),
    },
  },
  "credits.low": {
    about: "The balance fell below the account's `low_credit_threshold`. Told once for each fall.",
    fields: {
      credits: Type.Integer({ examples: [9], description: "What is left." }),
      threshold: Type.Integer({ examples: [10] }),
    },
  },
} as const satisfies Readonly<Record<EventName, EventKind>>;

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** What is sent to try a webhook out. Nobody has to subscribe to it. */
export const PING: EventKind = {
  about: "Somebody tries the webhook out: `POST /webhooks/{id}/test`. Nothing has happened.",
  fields: { webhook_id: Id },
};

/** What is posted when an event of this kind happens. */
export function payloadOf(name: string, { about, fields }: EventKind) {
  const common = {
    account_id: Id,
    delivery_id: Type.String({
      format: "uuid",
      examples: ["6f1c8d0e-3a55-4c0b-9f0a-2c9f4d1b7a10"],
      description: "The same whenever the delivery is repeated: what came already has been told.",
    }),
    created_at: Moment,
  };
  const data = Type.Object({ ...fields, ...common }, strict);
  return Type.Object({ event: Type.Literal(name), data }, { ...strict, description: about });
}
