/** Deliveries of events to webhooks. */
import Type, { type Static } from "typebox";
import {
  type Attempt,
  Conflict,
  DELIVERY_STATES,
  type Delivery as DeliveryRow,
  type Job,
  type Outcome,
  type OutgoingDelivery,
  type Page,
} from "../../db/index.ts";
import { parseHttpUrl } from "../outbound/index.ts";
import { NotFound } from "./errors.ts";
import { Id, Moment, pageFields, readCursor, strict } from "./fields.ts";
import type { LogFields } from "./log.ts";
import type { Services } from "./services.ts";
import { signedHeaders } from "./webhooks.ts";

export const DeliveryId = Type.String({
  format: "uuid",
  examples: ["6f1c8d0e-3a55-4c0b-9f0a-2c9f4d1b7a10"],
  description: "The `delivery_id` in the payload.",
});

const MomentOrNull = Type.Union([Moment, Type.Null()]);

export const Delivery = Type.Object(
  {
    id: DeliveryId,
    webhook_id: Id,
    event: Type.String({ description: "Name of the event, or `ping`." }),
    status: Type.Enum([...DELIVERY_STATES], {
      description:
        "`pending`: not attempted yet. `retrying`: the last attempt failed, another one follows. `delivered`: the receiver responded with 2xx. `failed`: no further attempts.",
    }),
    attempts: Type.Integer({ description: "Number of attempts." }),
    next_attempt_at: MomentOrNull,
    attempted_at: MomentOrNull,
    response_status: Type.Union([Type.Integer(), Type.Null()], {
      description: "Status of the response to the last attempt; null if there was none.",
    }),
    response_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: "Duration of the last attempt in milliseconds.",
    }),
    response_body: Type.Union([Type.String(), Type.Null()], {
      description: "First 4 kB of the response to the last attempt.",
    }),
    error: Type.Union([Type.String(), Type.Null()], {
      description: "Why the last attempt failed; null if it did not.",
    }),
    created_at: Moment,
  },
  {
    ...strict,
    description: "A delivery of an event to a webhook.",
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

/** Returns a delivery as the API represents it. */
export function showDelivery(row: DeliveryRow): Delivery {
  const { number: _, next_attempt_at, attempted_at, created_at, ...shown } = row;
  return {
    ...shown,
    next_attempt_at: next_attempt_at?.toISOString() ?? null,
    attempted_at: attempted_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}

export const DeliveryList = Type.Object(pageFields, strict);

/**
 * Returns a page of a webhook's deliveries, newest first. Throws InvalidInput for an invalid
 * cursor, NotFound.
 */
export async function listDeliveries(
  { db }: Services,
  accountId: number,
  webhookId: number,
  { cursor, limit }: Static<typeof DeliveryList>,
): Promise<Page<DeliveryRow>> {
  const from = readCursor(cursor);
  if (!(await db.webhooks.get(accountId, webhookId))) throw new NotFound(`webhook ${webhookId}`);
  return db.deliveries.list(accountId, webhookId, { ...from, limit });
}

/** Sends a test event to a webhook. Throws NotFound, Conflict if it is disabled. */
export async function pingWebhook(
  { db }: Services,
  accountId: number,
  id: number,
): Promise<DeliveryRow> {
  return sent(await db.webhooks.ping(accountId, id), `webhook ${id}`);
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

function sent(delivery: DeliveryRow | "disabled" | null, thing: string): DeliveryRow {
  if (!delivery) throw new NotFound(thing);
  if (delivery === "disabled") throw new Conflict("the webhook is disabled: nothing is sent there");
  return delivery;
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
): Promise<LogFields | null> {
  const { deliveries } = job.database;
  const delivery = await deliveries.outgoing(job.data.delivery_id);
  if (!delivery || delivery.attempts + 1 !== job.data.attempt) return null;
  const { account_id, webhook_id, event, url } = delivery;
  const about = { account_id, webhook_id, event, host: parseHttpUrl(url).host };
  if (delivery.is_disabled) {
    await deliveries.settle(delivery, { status: "failed" });
    return { ...about, status: "failed", reason: "the webhook is disabled" };
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
    error: fault ?? issueAt(status, target.host),
  };
}

function issueAt(status: number | null, host: string): string | null {
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
