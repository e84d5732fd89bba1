import Type, { type Static } from "typebox";
import type { Delivery, Page } from "../../db/index.ts";
import { NotFound } from "./errors.ts";
import { strict } from "./resources/fields.ts";
import { pageFields, readCursor } from "./resources/page.ts";
import type { Services } from "./services.ts";

export const DeliveryList = Type.Object(pageFields, strict);

/** A page of what was sent to a webhook, newest first. Throws InvalidInput for a foreign cursor, NotFound. */
export async function listDeliveries(
  { db }: Services,
  accountId: number,
  webhookId: number,
  { cursor, limit }: Static<typeof DeliveryList>,
): Promise<Page<Delivery>> {
  const from = readCursor(cursor);
  if (!(await db.webhooks.get(accountId, webhookId))) throw new NotFound(`webhook ${webhookId}`);
  return db.deliveries.list(accountId, webhookId, { ...from, limit });
}
