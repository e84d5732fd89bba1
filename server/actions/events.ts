/** The events that webhooks announce. */
import Type, { type TProperties } from "typebox";
import { EVENT_FIELDS, type EventName } from "../../db/index.ts";
import { GROUP_NAMES } from "../../engine/index.ts";
import { Id, strict, Timestamp } from "./fields.ts";

interface EventKind {
  readonly about: string;
  readonly fields: TProperties;
}

export const EVENTS: Readonly<Record<EventName, EventKind>> = {
  "pattern.created": {
    about: "A pattern was created.",
    fields: {
      ...EVENT_FIELDS["pattern.created"],
      group: Type.Enum([...GROUP_NAMES], { examples: ["p4"] }),
    },
  },
  "design.applied": {
    about: "A design was started for a product of a shop, through a handoff to the editor.",
    fields: EVENT_FIELDS["design.applied"],
  },
  "mockup.ready": {
    about: "The mockups of a pattern that were ordered together can be fetched, with a key.",
    fields: EVENT_FIELDS["mockup.ready"],
  },
  "batch.ready": {
    about: "A batch is finished: each item has its picture or an error.",
    fields: EVENT_FIELDS["batch.ready"],
  },
  "credits.low": {
    about: "The balance fell below the account's `low_credit_threshold`. Sent once for each fall.",
    fields: EVENT_FIELDS["credits.low"],
  },
};

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** Sent to test a webhook unless another event is chosen. */
export const PING: EventKind = {
  about: "A test of the webhook was requested: `POST /webhooks/{id}/test`.",
  fields: { webhook_id: Id },
};

/** Returns fields of an event that did not happen: the examples of the documentation. */
export const testFieldsOf = (event: EventName) => ({
  ...(exampleOf(Type.Object(EVENTS[event].fields)) as object),
  test: true,
});

interface ExampleSchema {
  readonly examples?: readonly unknown[];
  readonly items?: ExampleSchema;
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
}

function exampleOf({ examples, items, properties }: ExampleSchema): unknown {
  if (examples) return examples[0];
  if (items) return [exampleOf(items)];
  const members = Object.entries(properties ?? {});
  return Object.fromEntries(members.map(([name, schema]) => [name, exampleOf(schema)]));
}

/** Returns the schema of the body that is posted for an event. */
export function payloadSchema(name: string, { about, fields }: EventKind) {
  const common = {
    account_id: Id,
    delivery_id: Type.String({
      format: "uuid",
      examples: ["6f1c8d0e-3a55-4c0b-9f0a-2c9f4d1b7a10"],
      description: "The same in every attempt, so that a receiver can ignore repeats.",
    }),
    created_at: Timestamp,
    test: Type.Optional(
      Type.Literal(true, {
        description: "Sent where the event did not happen: it was requested to test the webhook.",
      }),
    ),
  };
  const data = Type.Object({ ...fields, ...common }, strict);
  return Type.Object({ event: Type.Literal(name), data }, { ...strict, description: about });
}
