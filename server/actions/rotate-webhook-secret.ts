import Type, { type Static } from "typebox";
import type { Webhook } from "../../db/index.ts";
import { NotFound } from "./errors.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";
import { makeWebhookSecret } from "./webhook-signature.ts";

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
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const secret = makeWebhookSecret();
  const webhook = await db.webhooks.rotateSecret(accountId, id, secret, overlap_hours);
  if (!webhook) throw new NotFound(`webhook ${id}`);
  return { webhook, secret };
}
