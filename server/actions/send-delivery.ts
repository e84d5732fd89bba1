/** Deliveries that somebody asks for by hand. */
import { Conflict, type Delivery } from "../../db/index.ts";
import { NotFound } from "./errors.ts";
import type { Services } from "./services.ts";

/** Sends a webhook an event to try it out. Throws NotFound, Conflict where it is disabled. */
export async function pingWebhook(
  { db }: Services,
  accountId: number,
  id: number,
): Promise<Delivery> {
  return sent(await db.webhooks.ping(accountId, id), `webhook ${id}`);
}

/**
 * Sends a delivery again, the same to the byte, whatever became of it. Throws NotFound, Conflict
 * where its webhook is disabled.
 */
export async function redeliver(
  { db }: Services,
  accountId: number,
  id: string,
): Promise<Delivery> {
  return sent(await db.deliveries.redeliver(accountId, id), `delivery ${id}`);
}

function sent(delivery: Delivery | "disabled" | null, thing: string): Delivery {
  if (!delivery) throw new NotFound(thing);
  if (delivery === "disabled") throw new Conflict("the webhook is disabled: nothing is sent there");
  return delivery;
}
