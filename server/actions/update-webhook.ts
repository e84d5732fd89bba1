import Type, { type Static } from "typebox";
import type { Webhook } from "../../db/index.ts";
import { NotFound } from "./errors.ts";
import { strict } from "./resources/fields.ts";
import { webhookFields } from "./resources/webhook.ts";
import type { Services } from "./services.ts";
import { readWebhookUrl } from "./url-input.ts";

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
): Promise<Webhook> {
  const target = url === undefined ? {} : { url: readWebhookUrl({ poster }, url).href };
  const webhook = await db.webhooks.update(accountId, id, { ...changes, ...target });
  if (!webhook) throw new NotFound(`webhook ${id}`);
  return webhook;
}
