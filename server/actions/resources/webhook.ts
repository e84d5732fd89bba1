/** A subscription to events as its owner sees it. */
import Type, { type Static } from "typebox";
import type { Webhook as WebhookRow } from "../../../db/index.ts";
import { DISABLED_REASONS } from "../../../db/index.ts";
import { EVENT_NAMES } from "./events.ts";
import { Id, Moment, strict } from "./fields.ts";

/** What a subscription is made of. */
export const webhookFields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    examples: ["https://shop.example/hooks/patterns"],
    description:
      "Where to post: an https:// address without a user name and password, reachable from the public Internet. Other addresses are refused unless the operator allows them.",
  }),
  events: Type.Array(Type.Enum(EVENT_NAMES), {
    minItems: 1,
    maxItems: EVENT_NAMES.length,
    uniqueItems: true,
    examples: [["pattern.created", "credits.low"]],
    description: "What to tell of.",
  }),
};

const fields = {
  id: Id,
  ...webhookFields,
  enabled: Type.Boolean({ description: "Whether anything is sent there." }),
  disabled_reason: Type.Union([Type.Enum([...DISABLED_REASONS]), Type.Null()], {
    description: "`by_request`: by PATCH. `gone`: the receiver answered 410.",
  }),
  previous_secret_until: Type.Union([Moment, Type.Null()], {
    description:
      "Until when the secret before the last rotation signs, too; null where only one does.",
  }),
  created_at: Moment,
};

const example = {
  id: 5,
  url: "https://shop.example/hooks/patterns",
  events: ["pattern.created", "credits.low"],
  enabled: true,
  disabled_reason: null,
  previous_secret_until: null,
  created_at: "2026-01-31T12:00:00.000Z",
};

export const Webhook = Type.Object(fields, {
  ...strict,
  description: "A subscription to events. Its secret is not shown again.",
  examples: [example],
});
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = Type.Object(
  { ...fields, secret: Type.String({ description: "What signs deliveries; shown this once." }) },
  {
    ...strict,
    description: "A subscription with its secret.",
    examples: [{ ...example, secret: "whsec_Zm9yIGV4YW1wbGUgb25seSwgdGhpcnR5LXR3byBieXQ=" }],
  },
);

/** The stored subscription as it is shown. */
export function showWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events as Webhook["events"],
    enabled: row.disabled_reason === null,
    disabled_reason: row.disabled_reason,
    previous_secret_until: row.previous_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
