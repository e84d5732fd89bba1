/** A delivery as the owner of its webhook sees it. */
import Type, { type Static } from "typebox";
import type { Delivery as DeliveryRow } from "../../../db/index.ts";
import { DELIVERY_STATES } from "../../../db/index.ts";
import { Id, Moment, strict } from "./fields.ts";

export const DeliveryId = Type.String({
  format: "uuid",
  examples: ["6f1c8d0e-3a55-4c0b-9f0a-2c9f4d1b7a10"],
  description: "The `delivery_id` that is sent along.",
});

const MomentOrNull = Type.Union([Moment, Type.Null()]);

export const Delivery = Type.Object(
  {
    id: DeliveryId,
    webhook_id: Id,
    event: Type.String({ description: "What is told: one of the events, or `ping`." }),
    status: Type.Enum([...DELIVERY_STATES], {
      description:
        "`pending`: not tried yet. `retrying`: the last attempt failed, another follows. `delivered`: a 2xx came. `failed`: given up.",
    }),
    attempts: Type.Integer({ description: "How many were made." }),
    next_attempt_at: MomentOrNull,
    attempted_at: MomentOrNull,
    response_status: Type.Union([Type.Integer(), Type.Null()], {
      description: "What the last attempt was answered; null where no answer came.",
    }),
    response_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: "How long the last attempt took.",
    }),
    response_body: Type.Union([Type.String(), Type.Null()], {
      description: "The first 4 kB of the answer to the last attempt.",
    }),
    error: Type.Union([Type.String(), Type.Null()], {
      description: "Why the last attempt does not count; null where it does.",
    }),
    created_at: Moment,
  },
  {
    ...strict,
    description: "An event on its way to a webhook.",
    examples: [
      {
        id: "6f1c8d0e-3a55-4c0b-9f0a-2c9f4d1b7a10",
        webhook_id: 5,
        event: "pattern.created",
        status: "retrying",
        attempts: 1,
        next_attempt_at: "2026-01-31T12:01:02.000Z",
        attempted_at: "2026-01-31T12:00:00.000Z",
        response_status: 503,
        response_ms: 84,
        response_body: "back in a minute",
        error: "shop.example answered 503",
        created_at: "2026-01-31T12:00:00.000Z",
      },
    ],
  },
);
export type Delivery = Static<typeof Delivery>;

/** The stored delivery as it is shown. */
export function showDelivery(row: DeliveryRow): Delivery {
  const { number: _, next_attempt_at, attempted_at, created_at, ...shown } = row;
  return {
    ...shown,
    next_attempt_at: next_attempt_at?.toISOString() ?? null,
    attempted_at: attempted_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}
