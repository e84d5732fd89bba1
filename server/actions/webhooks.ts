/** Webhooks: subscriptions to events, and the signatures of deliveries. */
import { createHmac, randomBytes } from "node:crypto";
import Type, { type Static } from "typebox";
import { DISABLED_REASONS, type Webhook as WebhookRow } from "../../db/index.ts";
import { requireFound } from "./errors.ts";
import { EVENT_NAMES } from "./events.ts";
import { Id, strict, Timestamp } from "./fields.ts";
import { readUrl } from "./input.ts";
import type { Services } from "./services.ts";

/** Fields of a subscription. */
const webhookFields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    examples: ["https://shop.example/hooks/patterns"],
    description:
      "An https:// URL without credentials, reachable from the public Internet. Other URLs are refused unless the operator allows them.",
  }),
  events: Type.Array(Type.Enum(EVENT_NAMES), {
    minItems: 1,
    maxItems: EVENT_NAMES.length,
    uniqueItems: true,
    examples: [["pattern.created", "credits.low"]],
    description: "Events to send.",
  }),
};

const fields = {
  id: Id,
  ...webhookFields,
  enabled: Type.Boolean({ description: "Whether events are sent." }),
  disabled_reason: Type.Union([Type.Enum([...DISABLED_REASONS]), Type.Null()], {
    description: "`by_request`: by PATCH. `gone`: the receiver answered 410.",
  }),
  previous_secret_until: Type.Union([Timestamp, Type.Null()], {
    description: "Until when the previous secret signs deliveries, too; null if only one does.",
  }),
  created_at: Timestamp,
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
  description: "A subscription to events, without its secret.",
  examples: [example],
});
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = Type.Object(
  {
    ...fields,
    secret: Type.String({ description: "Key that signs deliveries; only in this response." }),
  },
  {
    ...strict,
    description: "A subscription with its secret.",
    examples: [{ ...example, secret: "whsec_Zm9yIGV4YW1wbGUgb25seSwgdGhpcnR5LXR3byBieXQ=" }],
  },
);

/** Returns a webhook as the API represents it. */
export function toWebhookResponse(row: WebhookRow): Webhook {
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

const MARK = "whsec_";
const KEY_BYTES = 32;

/** Returns a new secret: `whsec_` and 32 random bytes in base64. */
function makeWebhookSecret(): string {
  return MARK + randomBytes(KEY_BYTES).toString("base64");
}

export interface SignatureInput {
  readonly deliveryId: string;
  readonly event: string;
  /** The body, byte for byte. */
  readonly body: string;
  readonly secret: string;
  /** The previous secret, while receivers may still use it. */
  readonly previousSecret: string | null;
  /** Time of sending, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Returns the headers that sign a delivery. Those of the standard carry a signature for each secret,
 * the newest first. `X-Service-Signature` has room for one: by the secret that every receiver knows.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedHeaders({
  deliveryId,
  event,
  body,
  secret,
  previousSecret,
  now,
}: SignatureInput): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const signatures = secrets.map((one) => {
    const key = Buffer.from(one.slice(MARK.length), "base64");
    const content = `${deliveryId}.${timestamp}.${body}`;
    return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  });
  // Here the key is the secret's text, not its decoded bytes.
  const plain = createHmac("sha256", previousSecret ?? secret)
    .update(body)
    .digest("hex");
  return {
    "X-Service-Event": event,
    "X-Service-Signature": `sha256=${plain}`,
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** Maximum number of an account's webhooks. */
export const MAX_WEBHOOKS = 20;

export const NewWebhook = Type.Object(webhookFields, strict);

/**
 * Creates a webhook. Only this result contains the secret. Throws InvalidInput for an invalid URL
 * or one that is never posted to, Conflict if the account has too many.
 */
export async function createWebhook(
  { db, webhookClient }: Pick<Services, "db" | "webhookClient">,
  accountId: number,
  { url, events }: Static<typeof NewWebhook>,
): Promise<{ readonly webhook: WebhookRow; readonly secret: string }> {
  const secret = makeWebhookSecret();
  const fields = { url: readUrl(url, webhookClient.check).href, events, secret };
  return { webhook: await db.webhooks.create(accountId, fields, MAX_WEBHOOKS), secret };
}

export const WebhookChanges = Type.Partial(
  Type.Object({
    ...webhookFields,
    enabled: Type.Boolean({
      description: "`false` stops deliveries, `true` resumes them, whatever disabled the webhook.",
    }),
  }),
  {
    ...strict,
    examples: [{ events: ["pattern.created"], enabled: true }],
    description: "Omitted fields stay unchanged.",
  },
);

/** Updates the given fields of a webhook. Throws NotFound, InvalidInput as `createWebhook`. */
export async function updateWebhook(
  { db, webhookClient }: Pick<Services, "db" | "webhookClient">,
  accountId: number,
  id: number,
  { url, ...changes }: Static<typeof WebhookChanges>,
): Promise<WebhookRow> {
  const target = url === undefined ? {} : { url: readUrl(url, webhookClient.check).href };
  return requireFound(
    await db.webhooks.update(accountId, id, { ...changes, ...target }),
    `webhook ${id}`,
  );
}

export const SecretRotation = Type.Object(
  {
    overlap_hours: Type.Integer({
      minimum: 0,
      maximum: 168,
      default: 24,
      description:
        "Hours for which the previous secret signs deliveries, too. 0: it is invalid at once.",
    }),
  },
  { ...strict, examples: [{ overlap_hours: 24 }] },
);

/**
 * Sets a new secret, which only this result contains. During an overlap the oldest secret is
 * dropped. Throws NotFound.
 */
export async function rotateWebhookSecret(
  { db }: Services,
  accountId: number,
  id: number,
  { overlap_hours }: Static<typeof SecretRotation>,
): Promise<{ readonly webhook: WebhookRow; readonly secret: string }> {
  const secret = makeWebhookSecret();
  const webhook = await db.webhooks.rotateSecret(accountId, id, secret, overlap_hours);
  return { webhook: requireFound(webhook, `webhook ${id}`), secret };
}
