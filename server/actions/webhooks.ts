/** Webhooks: subscriptions to events, and the signatures of what is posted to them. */
import { createHmac, randomBytes } from "node:crypto";
import Type, { type Static } from "typebox";
import { DISABLED_REASONS, type Webhook as WebhookRow } from "../../db/index.ts";
import { requireFound } from "./errors.ts";
import { EVENT_NAMES } from "./events.ts";
import { Id, Moment, strict } from "./fields.ts";
import { readUrl } from "./input.ts";
import type { Services } from "./services.ts";

/** What a subscription is made of. */
const webhookFields = {
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

const MARK = "whsec_";
const KEY_BYTES = 32;

/** A new secret: `whsec_` and 32 random bytes in base64. */
function makeWebhookSecret(): string {
  return MARK + randomBytes(KEY_BYTES).toString("base64");
}

export interface Signed {
  readonly deliveryId: string;
  readonly event: string;
  /** What is sent, to the byte. */
  readonly body: string;
  readonly secret: string;
  /** The one before it, as long as receivers may still go by it. */
  readonly previousSecret: string | null;
  /** When it is sent, in milliseconds since 1970. */
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
}: Signed): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const signatures = secrets.map((one) => {
    const key = Buffer.from(one.slice(MARK.length), "base64");
    const content = `${deliveryId}.${timestamp}.${body}`;
    return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  });
  // Here the key is the secret as it is shown, and not what it encodes.
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

/** What one account may have. */
export const WEBHOOKS_AT_MOST = 20;

export const NewWebhook = Type.Object(webhookFields, strict);

/**
 * Subscribes to events. The secret is in this answer and in none after it. Throws InvalidInput for
 * what is no address or one that is never posted to, Conflict where the account has as many as it may.
 */
export async function createWebhook(
  { db, poster }: Pick<Services, "db" | "poster">,
  accountId: number,
  { url, events }: Static<typeof NewWebhook>,
): Promise<{ readonly webhook: WebhookRow; readonly secret: string }> {
  const secret = makeWebhookSecret();
  const fields = { url: readUrl(url, poster.check).href, events, secret };
  return { webhook: await db.webhooks.create(accountId, fields, WEBHOOKS_AT_MOST), secret };
}

export const WebhookChanges = Type.Partial(
  Type.Object({
    ...webhookFields,
    enabled: Type.Boolean({
      description: "False: nothing is sent any more. True: it is again, whatever stopped it.",
    }),
  }),
  {
    ...strict,
    examples: [{ events: ["pattern.created"], enabled: true }],
    description: "What is left out stays as it is.",
  },
);

/** Changes what is given of a webhook. Throws NotFound, InvalidInput as `createWebhook`. */
export async function updateWebhook(
  { db, poster }: Pick<Services, "db" | "poster">,
  accountId: number,
  id: number,
  { url, ...changes }: Static<typeof WebhookChanges>,
): Promise<WebhookRow> {
  const target = url === undefined ? {} : { url: readUrl(url, poster.check).href };
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
        "For how many hours the secret there was signs, too. 0: it is of no use from now on.",
    }),
  },
  { ...strict, examples: [{ overlap_hours: 24 }] },
);

/**
 * Gives a webhook another secret, which is in this answer and in none after it. Of an overlap that
 * is still going on, the oldest secret goes. Throws NotFound.
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
