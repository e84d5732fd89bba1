/** Deliveries of events to subscriptions. */
import { sql } from "slonik";
import Type from "typebox";
import { Instant, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { type Database, DELIVERY_STATES } from "../types/index.ts";
import { ATTEMPTS, requestAttempt } from "./announcements.ts";
import { pageBy } from "./page.ts";

const KEPT_DAYS = 30;

/** Deliveries that are forgotten with each attempt, so that they never add up. */
const FORGOTTEN = 16;

export const deliveryRow = row(
  Type.Object({
    id: Type.String(),
    number: Type.Integer(),
    webhook_id: Type.Integer(),
    event: Type.String(),
    status: Type.Enum([...DELIVERY_STATES]),
    attempts: Type.Integer(),
    next_attempt_at: Nullable(Instant),
    attempted_at: Nullable(Instant),
    response_status: Nullable(Type.Integer()),
    response_ms: Nullable(Type.Integer()),
    response_body: Nullable(Type.String()),
    error: Nullable(Type.String()),
    created_at: Instant,
  }),
);
export const deliveryColumns = sql.fragment`
  id, number, webhook_id, event, status, attempts, next_attempt_at, attempted_at,
  response_status, response_ms, response_body, error, created_at`;

const outgoingRow = row(
  Type.Object({
    id: Type.String(),
    account_id: Type.Integer(),
    webhook_id: Type.Integer(),
    event: Type.String(),
    body: Type.String(),
    attempts: Type.Integer(),
    attempts_allowed: Type.Integer(),
    url: Type.String(),
    secret: Type.String(),
    previous_secret: Nullable(Type.String()),
    previous_until: Nullable(Instant),
    is_disabled: Type.Boolean(),
  }),
);
const targetRow = row(
  Type.Object({
    webhook_id: Type.Integer(),
    attempts: Type.Integer(),
    is_disabled: Type.Boolean(),
  }),
);
const webhookRow = row(Type.Object({ webhook_id: Type.Integer() }));

const timestamp = (moment: Date | null) =>
  sql.fragment`${moment?.toISOString() ?? null}::timestamptz`;

/** The queries about deliveries; their contract is the door's. */
export function deliveryQueries(pool: Connection): Database["deliveries"] {
  return {
    list: async (accountId, webhookId, { before = null, limit }) =>
      pageBy(
        await pool.any(sql.type(deliveryRow)`
          select ${deliveryColumns} from deliveries
          where account_id = ${accountId} and webhook_id = ${webhookId}
            and (${before}::bigint is null or number < ${before})
          order by number desc limit ${limit + 1}`),
        limit,
        ({ number }) => number,
      ),

    redeliver: (accountId, id) =>
      pool.transaction(async (transaction) => {
        const target = await transaction.maybeOne(sql.type(targetRow)`
          select d.webhook_id, d.attempts, w.disabled_reason is not null as is_disabled
          from deliveries d join webhooks w on w.id = d.webhook_id
          where d.id = ${id} and d.account_id = ${accountId} for update of d`);
        if (!target) return null;
        if (target.is_disabled) return "disabled";
        const { webhook_id, attempts } = target;
        const attempt = { delivery_id: id, attempt: attempts + 1 };
        await requestAttempt(transaction, webhook_id, attempt);
        return transaction.one(sql.type(deliveryRow)`
          update deliveries set status = 'pending', next_attempt_at = now(),
            attempts_allowed = attempts + ${ATTEMPTS}
          where id = ${id} returning ${deliveryColumns}`);
      }),

    outgoing: (id) =>
      pool.maybeOne(sql.type(outgoingRow)`
        select d.id, d.account_id, d.webhook_id, d.event, d.body, d.attempts, d.attempts_allowed, w.url, w.secret,
          w.previous_secret, w.previous_until, w.disabled_reason is not null as is_disabled
        from deliveries d join webhooks w on w.id = d.webhook_id
        where d.id = ${id} and d.status in ('pending', 'retrying')`),

    settle: ({ id, attempts, attempts_allowed }, outcome) =>
      pool.transaction(async (transaction) => {
        const { attempt } = outcome;
        const next = outcome.status === "retrying" ? outcome.next_attempt_at : null;
        const made = attempt
          ? sql.fragment`attempts = attempts + 1,
              attempted_at = ${timestamp(attempt.attempted_at)},
              response_status = ${attempt.response_status},
              response_ms = ${attempt.response_ms},
              response_body = ${attempt.response_body},
              error = ${attempt.error}`
          : sql.fragment`error = 'the webhook is disabled'`;
        // Sent again by hand in the meantime, it is the next attempt's business.
        const settled = await transaction.maybeOne(sql.type(webhookRow)`
          update deliveries
          set status = ${outcome.status}, next_attempt_at = ${timestamp(next)}, ${made}
          where id = ${id} and attempts = ${attempts} and attempts_allowed = ${attempts_allowed}
          returning webhook_id`);
        if (settled && next) {
          const again = { delivery_id: id, attempt: attempts + 2 };
          await requestAttempt(transaction, settled.webhook_id, again, next);
        }
        await forget(transaction);
      }),

    disableWebhookOf: async (id) => {
      await pool.query(sql.unsafe`
        update webhooks set disabled_reason = coalesce(disabled_reason, 'gone')
        where id = (select webhook_id from deliveries where id = ${id})`);
    },
  };
}

async function forget(transaction: Connection): Promise<void> {
  await transaction.query(sql.unsafe`
    delete from deliveries where id in (
      select id from deliveries
      where created_at < now() - ${`${KEPT_DAYS} d`}::interval
      order by created_at limit ${FORGOTTEN} for update skip locked)`);
}
