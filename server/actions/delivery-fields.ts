/** Deliveries as the API represents them. */
import Type, { type Static } from "typebox";
import {
  DELIVERY_STATES,
  type DeliveryDetails as DeliveryDetailsRow,
  type Delivery as DeliveryRow,
} from "../../db/index.ts";
import { EVENT_NAMES } from "./events.ts";
import { Id, pageFields, strict, Timestamp } from "./fields.ts";

/** What webhooks receive. */
const SENT_EVENTS = ["ping" as const, ...EVENT_NAMES];

export const DeliveryId = Type.String({
  format: "uuid",
  examples: ["6f1c8d0e-3a55-4c0b-9f0a-2c9f4d1b7a10"],
  description: "The `delivery_id` in the payload.",
});

const TimestampOrNull = Type.Union([Timestamp, Type.Null()]);

const fields = {
  id: DeliveryId,
  webhook_id: Id,
  event: Type.String({ description: "Name of the event, or `ping`." }),
  status: Type.Enum([...DELIVERY_STATES], {
    description:
      "`pending`: not attempted yet. `retrying`: the last attempt failed, another one follows. `delivered`: the receiver responded with 2xx. `failed`: no further attempts.",
  }),
  attempts: Type.Integer({ description: "Number of attempts." }),
  next_attempt_at: TimestampOrNull,
  attempted_at: TimestampOrNull,
  response_status: Type.Union([Type.Integer(), Type.Null()], {
    description: "Status of the response to the last attempt; null if there was none.",
  }),
  response_ms: Type.Union([Type.Integer(), Type.Null()], {
    description: "Duration of the last attempt in milliseconds.",
  }),
  response_body: Type.Union([Type.String(), Type.Null()], {
    description: "First 4 kB of the response to the last attempt.",
  }),
  error: Type.Union([Type.String(), Type.Null()], {
    description: "Why the last attempt failed; null if it did not.",
  }),
  created_at: Timestamp,
};

const example = {
  id: "6f1c8d0e-3a55-4c0b-9f0a-2c9f4d1b7a10",
  webhook_id: 5,
  event: "pattern.created",
  status: "retrying" as const,
  attempts: 1,
  next_attempt_at: "2026-01-31T12:01:02.000Z",
  attempted_at: "2026-01-31T12:00:00.000Z",
  response_status: 503,
  response_ms: 84,
  response_body: "back in a minute",
  error: "shop.example answered 503",
  created_at: "2026-01-31T12:00:00.000Z",
};

export const Delivery = Type.Object(fields, {
  ...strict,
  description: "A delivery of an event to a webhook.",
  examples: [example],
});
export type Delivery = Static<typeof Delivery>;
/** Returns a delivery as the API represents it. */
export function toDeliveryResponse(row: DeliveryRow): Delivery {
  const { number: _, next_attempt_at, attempted_at, created_at, ...shown } = row;
  return {
    ...shown,
    next_attempt_at: next_attempt_at?.toISOString() ?? null,
    attempted_at: attempted_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}

const DeliveryAttempt = Type.Object(
  {
    number: Type.Integer({ description: "From 1." }),
    attempted_at: Timestamp,
    response_status: fields.response_status,
    response_ms: Type.Integer({ description: "Duration in milliseconds." }),
    response_body: fields.response_body,
    error: fields.error,
  },
  { ...strict, description: "An attempt at a delivery." },
);

export const DeliveryDetails = Type.Object(
  {
    ...fields,
    body: Type.String({ description: "The request's body, to the byte." }),
    history: Type.Array(DeliveryAttempt, { description: "Every attempt, the oldest first." }),
  },
  {
    ...strict,
    description: "A delivery with what is sent, and with every attempt.",
    examples: [
      {
        ...example,
        body: '{"event":"pattern.created","data":{"pattern_id":12,"source_id":31,"group":"p4","name":null,"account_id":4,"delivery_id":"6f1c8d0e-3a55-4c0b-9f0a-2c9f4d1b7a10","created_at":"2026-01-31T12:00:00.000Z"}}',
        history: [
          {
            number: 1,
            attempted_at: "2026-01-31T12:00:00.000Z",
            response_status: 503,
            response_ms: 84,
            response_body: "back in a minute",
            error: "shop.example answered 503",
          },
        ],
      },
    ],
  },
);
export type DeliveryDetails = Static<typeof DeliveryDetails>;

/** Returns a delivery with its body and attempts as the API represents it. */
export function toDeliveryDetailsResponse({
  body,
  history,
  ...row
}: DeliveryDetailsRow): DeliveryDetails {
  return {
    ...toDeliveryResponse(row),
    body,
    history: history.map(({ attempted_at, ...attempt }) => ({
      ...attempt,
      attempted_at: attempted_at.toISOString(),
    })),
  };
}

export const DeliveryList = Type.Object(
  {
    ...pageFields,
    status: Type.Optional(
      Type.Enum([...DELIVERY_STATES], { description: "Only deliveries with this status." }),
    ),
    event: Type.Optional(Type.Enum(SENT_EVENTS, { description: "Only deliveries of this event." })),
  },
  strict,
);

export const DeliveryTest = Type.Object(
  {
    event: Type.Enum(SENT_EVENTS, {
      default: "ping",
      description:
        "The event to send. All but `ping` carry the documentation's examples, and `test: true`.",
    }),
  },
  strict,
);

export const Recovery = Type.Object(
  {
    since: Type.String({ format: "date-time", description: "When the events happened, at least." }),
  },
  { ...strict, examples: [{ since: "2026-01-31T12:00:00.000Z" }] },
);

export const RecoveryResult = Type.Object(
  {
    redelivered: Type.Integer({ description: "Deliveries that are sent again." }),
    has_more: Type.Boolean({ description: "Whether another call would find more." }),
  },
  { ...strict, examples: [{ redelivered: 12, has_more: false }] },
);
export type RecoveryResult = Static<typeof RecoveryResult>;
