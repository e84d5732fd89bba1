import Type, { type Static } from "typebox";
import type { Webhook } from "../../db/index.ts";
import { strict } from "./resources/fields.ts";
import { webhookFields } from "./resources/webhook.ts";
import type { Services } from "./services.ts";
import { readWebhookUrl } from "./url-input.ts";
import { makeWebhookSecret } from "./webhook-signature.ts";

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
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const secret = makeWebhookSecret();
  const fields = { url: readWebhookUrl({ poster }, url).href, events, secret };
  return { webhook: await db.webhooks.create(accountId, fields, WEBHOOKS_AT_MOST), secret };
}
