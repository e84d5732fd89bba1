/** Deliveries of events to webhooks. */
import type { Static } from "typebox";
import {
  type Attempt,
  Conflict,
  type DeliveryDetails as DeliveryDetailsRow,
  type Delivery as DeliveryRow,
  type Job,
  type Outcome,
  type OutgoingDelivery,
  type Page,
} from "../../db/index.ts";
import { parseHttpUrl } from "../outbound/index.ts";
import type { DeliveryList, DeliveryTest, Recovery } from "./delivery-fields.ts";
import { NotFound, requireFound } from "./errors.ts";
import { testFieldsOf } from "./events.ts";
import { readCursor } from "./fields.ts";
import type { JobResult } from "./log.ts";
import type { Services } from "./services.ts";
import { signedHeaders } from "./webhooks.ts";

/**
 * Returns a page of a webhook's deliveries, newest first. Throws InvalidInput for an invalid
 * cursor, NotFound.
 */
export async function listDeliveries(
  { db }: Services,
  accountId: number,
  webhookId: number,
  { cursor, limit, ...filter }: Static<typeof DeliveryList>,
): Promise<Page<DeliveryRow>> {
  const from = readCursor(cursor);
  if (!(await db.webhooks.get(accountId, webhookId))) throw new NotFound(`webhook ${webhookId}`);
  return db.deliveries.list(accountId, webhookId, { ...from, limit }, filter);
}

/** Returns a delivery with its body and attempts. Throws NotFound. */
export async function getDelivery(
  { db }: Services,
  accountId: number,
  id: string,
): Promise<DeliveryDetailsRow> {
  return requireFound(await db.deliveries.get(accountId, id), `delivery ${id}`);
}

/** Sends a test event to a webhook. Throws NotFound, Conflict if it is disabled. */
export async function testWebhook(
  { db }: Services,
  accountId: number,
  id: number,
  { event }: Static<typeof DeliveryTest>,
): Promise<DeliveryRow> {
  const fields = event === "ping" ? { webhook_id: id } : testFieldsOf(event);
  return sent(await db.webhooks.sendTest(accountId, id, event, fields), `webhook ${id}`);
}

/**
 * Sends failed deliveries of a webhook since a moment again. Returns how many, and whether there are more.
 * Throws NotFound, Conflict if it is disabled.
 */
export async function recoverDeliveries(
  { db }: Services,
  accountId: number,
  id: number,
  { since }: Static<typeof Recovery>,
) {
  return sent(await db.deliveries.recover(accountId, id, new Date(since)), `webhook ${id}`);
}

/**
 * Repeats a delivery, byte for byte, whatever its status. Throws NotFound, Conflict if its webhook
 * is disabled.
 */
export async function redeliver(
  { db }: Services,
  accountId: number,
  id: string,
): Promise<DeliveryRow> {
  return sent(await db.deliveries.redeliver(accountId, id), `delivery ${id}`);
}

function sent<Result extends object>(result: Result | "disabled" | null, thing: string): Result {
  if (!result) throw new NotFound(thing);
  if (result === "disabled") throw new Conflict("the webhook is disabled: nothing is sent there");
  return result;
}

const MINUTE = 60_000;

/** Delays after failed attempts; the delivery fails after one more. */
const WAITS = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 60 * MINUTE];

/**
 * Maximum relative jitter of a delay, so that a recovering receiver does not get all retries at
 * once. Jobs add seconds of their own.
 */
const JITTER = 0.05;

/** Bytes of a response that are stored. */
const MAX_RESPONSE_BYTES = 4096;

const GONE = 410;

/**
 * Makes the job's attempt at a delivery, and stores its outcome together with the end of the job.
 * Skips a delivery that is deleted, delivered or failed, and an attempt that was already made.
 * Returns the attempt for the log; null if none was made.
 */
export async function deliverWebhook(
  { webhookClient }: Pick<Services, "webhookClient">,
  job: DeliveryJob,
): Promise<JobResult | null> {
  const { deliveries } = job.database;
  const delivery = await deliveries.outgoing(job.data.delivery_id);
  if (!delivery || delivery.attempts + 1 !== job.data.attempt) return null;
  const { account_id, webhook_id, event, url } = delivery;
  const about = { account_id, webhook_id, event, host: parseHttpUrl(url).host };
  const reason = refusalOf(delivery);
  if (reason !== null) {
    await deliveries.settle(delivery, { status: "failed", reason });
    return { ...about, status: "failed", reason };
  }
  const attempt = await send(webhookClient, delivery, job);
  if (attempt.response_status === GONE) await deliveries.disableWebhookOf(delivery.id);
  const outcome = outcomeOf(delivery, attempt, job.now());
  await deliveries.settle(delivery, outcome);
  const { response_status, response_ms, error } = attempt;
  const answer = { response_status, response_ms, ...(error !== null && { reason: error }) };
  return { ...about, status: outcome.status, ...answer };
}

type DeliveryJob = Job<"deliver_webhook">;

/** Returns why nothing is sent; null if it is. */
function refusalOf({ is_disabled, is_frozen }: OutgoingDelivery): string | null {
  if (is_frozen) return "the account is frozen";
  return is_disabled ? "the webhook is disabled" : null;
}

async function send(
  webhookClient: Services["webhookClient"],
  delivery: OutgoingDelivery,
  { now, signal }: DeliveryJob,
): Promise<Attempt> {
  const { id, event, body, secret, previous_secret, previous_until } = delivery;
  const attempted_at = new Date(now());
  const target = parseHttpUrl(delivery.url);
  const started = performance.now();
  const isOverlap = previous_until !== null && attempted_at < previous_until;
  const headers = {
    "Content-Type": "application/json",
    "Accept-Encoding": "identity",
    ...signedHeaders({
      deliveryId: id,
      event,
      body,
      secret,
      previousSecret: isOverlap ? previous_secret : null,
      now: attempted_at.getTime(),
    }),
  };
  const { status, start, fault } = await webhookClient.post(target, {
    headers,
    body: Buffer.from(body),
    maxResponseBytes: MAX_RESPONSE_BYTES,
    signal,
  });
  return {
    attempted_at,
    response_status: status,
    response_ms: Math.round(performance.now() - started),
    response_body: status === null ? null : textOf(start),
    error: fault ?? responseError(status, target.host),
  };
}

function responseError(status: number | null, host: string): string | null {
  if (status === null || (status >= 200 && status < 300)) return null;
  const redirects = status >= 300 && status < 400 ? ", and redirects are not followed" : "";
  return `${host} answered ${status}${redirects}`;
}

/** An incomplete character at the end is dropped. PostgreSQL stores no NUL. */
function textOf(start: Uint8Array): string {
  return new TextDecoder().decode(start, { stream: true }).replaceAll("\0", "\ufffd");
}

function outcomeOf(delivery: OutgoingDelivery, attempt: Attempt, now: number): Outcome {
  if (attempt.error === null) return { status: "delivered", attempt };
  const left = delivery.attempts_allowed - delivery.attempts - 1;
  if (left === 0 || attempt.response_status === GONE) return { status: "failed", attempt };
  const wait = (WAITS.at(-left) ?? MINUTE) * (1 + JITTER * Math.random());
  return { status: "retrying", attempt, next_attempt_at: new Date(Math.ceil(now + wait)) };
}
