import type { Attempt, Job, Outcome, OutgoingDelivery } from "../../db/index.ts";
import { readTarget } from "../outbound/index.ts";
import type { LogFields } from "./log.ts";
import type { Services } from "./services.ts";
import { signedHeaders } from "./webhook-signature.ts";

const MINUTE = 60_000;

/** How long to wait after each attempt that failed; after one more it is given up. */
const WAITS = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 60 * MINUTE];

/**
 * By which share a wait is lengthened at most, so that a receiver that comes back is not met by all
 * at once. Jobs add seconds of their own.
 */
const JITTER = 0.05;

/** So much of an answer is kept. */
const ANSWER_BYTES = 4096;

const GONE = 410;

/**
 * Makes the job's attempt at a delivery, and notes what came of it together with the end of the job.
 * A delivery that is gone, done or given up, and an attempt that was made before, are left alone.
 * Returns the attempt for the log; null where none was made.
 */
export async function deliverWebhook(
  { poster }: Pick<Services, "poster">,
  job: DeliveryJob,
): Promise<LogFields | null> {
  const { deliveries } = job.database;
  const delivery = await deliveries.outgoing(job.data.delivery_id);
  if (!delivery || delivery.attempts + 1 !== job.data.attempt) return null;
  const { account_id, webhook_id, event, url } = delivery;
  const about = { account_id, webhook_id, event, host: readTarget(url).host };
  if (delivery.is_disabled) {
    await deliveries.settle(delivery, { status: "failed" });
    return { ...about, status: "failed", reason: "the webhook is disabled" };
  }
  const attempt = await send(poster, delivery, job);
  if (attempt.response_status === GONE) await deliveries.disableWebhookOf(delivery.id);
  const outcome = outcomeOf(delivery, attempt, job.now());
  await deliveries.settle(delivery, outcome);
  const { response_status, response_ms, error } = attempt;
  const answer = { response_status, response_ms, ...(error !== null && { reason: error }) };
  return { ...about, status: outcome.status, ...answer };
}

type DeliveryJob = Job<"deliver_webhook">;

async function send(
  poster: Services["poster"],
  delivery: OutgoingDelivery,
  { now, signal }: DeliveryJob,
): Promise<Attempt> {
  const { id, event, body, secret, previous_secret, previous_until } = delivery;
  const attempted_at = new Date(now());
  const target = readTarget(delivery.url);
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
  const { status, start, fault } = await poster.post(target, {
    headers,
    body: Buffer.from(body),
    answerBytes: ANSWER_BYTES,
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

/** A character that is cut off at the end is left out. PostgreSQL takes no NUL. */
function textOf(start: Uint8Array): string {
  return new TextDecoder().decode(start, { stream: true }).replaceAll("\0", "\ufffd");
}

function outcomeOf(delivery: OutgoingDelivery, attempt: Attempt, now: number): Outcome {
  if (attempt.error === null) return { status: "delivered", attempt };
  const left = delivery.attempts_allowed - delivery.attempts - 1;
  if (left === 0 || attempt.response_status === GONE) return { status: "failed", attempt };
  const wait = WAITS[WAITS.length - left] * (1 + JITTER * Math.random());
  return { status: "retrying", attempt, next_attempt_at: new Date(Math.ceil(now + wait)) };
}
