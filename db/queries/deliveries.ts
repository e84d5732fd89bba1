/** Deliveries of events to subscriptions. */
import { sql } from "slonik";
import Type from "typebox";
import { columnsOf, Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { ATTEMPTS, requestAttempt } from "./create-delivery.ts";
import { type PageRequest, pageBy } from "./page.ts";

/** The state of an event on its way to a webhook. */
export const DELIVERY_STATES = ["pending", "retrying", "delivered", "failed"] as const;

export const deliveryRow = row({
  /** A UUID. */
  id: Type.String(),
  /** Grows from one delivery to the next. */
  number: Type.Integer(),
  webhook_id: Type.Integer(),
  event: Type.String(),
  status: Type.Enum(DELIVERY_STATES),
  attempts: Type.Integer(),
  next_attempt_at: Nullable(Timestamp),
  attempted_at: Nullable(Timestamp),
  response_status: Nullable(Type.Integer()),
  response_ms: Nullable(Type.Integer()),
  response_body: Nullable(Type.String()),
  error: Nullable(Type.String()),
  created_at: Timestamp,
});
export const deliveryColumns = columnsOf(deliveryRow);

/** An event on its way to a webhook, with the result of the last attempt. */
export type Delivery = RowOf<typeof deliveryRow>;

const detailsRow = row({
  ...deliveryRow.columns,
  /** The request's body, to the byte. */
  body: Type.String(),
});

const attemptRow = row({
  /** From 1. */
  number: Type.Integer(),
  attempted_at: Timestamp,
  /** Null where there was no response. */
  response_status: Nullable(Type.Integer()),
  response_ms: Type.Integer(),
  response_body: Nullable(Type.String()),
  error: Nullable(Type.String()),
});

/** A delivery with its body and every attempt, oldest first. */
export interface DeliveryDetails extends RowOf<typeof detailsRow> {
  readonly history: readonly RowOf<typeof attemptRow>[];
}

const outgoingRow = row({
  id: Type.String(),
  account_id: Type.Integer(),
  webhook_id: Type.Integer(),
  event: Type.String(),
  /** The request's body, to the byte. */
  body: Type.String(),
  attempts: Type.Integer(),
  attempts_allowed: Type.Integer(),
  url: Type.String(),
  secret: Type.String(),
  previous_secret: Nullable(Type.String()),
  previous_until: Nullable(Timestamp),
  is_disabled: Type.Boolean(),
  is_frozen: Type.Boolean(),
});

/** A delivery with all that sending it takes. */
export type OutgoingDelivery = RowOf<typeof outgoingRow>;

/** The result of an attempt to deliver. */
export interface Attempt {
  readonly attempted_at: Date;
  /** Null where there was no response. */
  readonly response_status: number | null;
  readonly response_ms: number;
  /** The beginning of the response's body. */
  readonly response_body: string | null;
  /** Why it failed; null where it did not. */
  readonly error: string | null;
}

/** What becomes of a delivery after an attempt, or without one. */
export type Outcome =
  | { readonly status: "delivered" | "failed"; readonly attempt: Attempt }
  | { readonly status: "failed"; readonly reason: string }
  | { readonly status: "retrying"; readonly attempt: Attempt; readonly next_attempt_at: Date };

const targetRow = row({
  webhook_id: Type.Integer(),
  attempts: Type.Integer(),
  is_disabled: Type.Boolean(),
});
const webhookRow = row({ webhook_id: Type.Integer() });
const disabledRow = row({ is_disabled: Type.Boolean() });

/** What sending a delivery again changes. */
const again = sql.fragment`status = 'pending', next_attempt_at = now(),
  attempts_allowed = attempts + ${ATTEMPTS}`;

const failedRow = row({ id: Type.String(), attempts: Type.Integer() });

/** Failed deliveries that one call sends again. */
const RECOVERY_BATCH = 500;

/** Which deliveries of a webhook to list; left out: all. */
export interface DeliveryFilter {
  readonly status?: Delivery["status"] | undefined;
  readonly event?: string | undefined;
}

const timestamp = (moment: Date | null) =>
  sql.fragment`${moment?.toISOString() ?? null}::timestamptz`;

export function deliveryQueries(pool: Connection) {
  return {
    list: async (
      accountId: number,
      webhookId: number,
      { before = null, limit }: PageRequest,
      { status, event }: DeliveryFilter = {},
    ) =>
      pageBy(
        await pool.any(sql.type(deliveryRow)`
          select ${deliveryColumns} from deliveries
          where account_id = ${accountId} and webhook_id = ${webhookId}
            and (${before}::bigint is null or number < ${before})
            and (${status ?? null}::text is null or status = ${status ?? null})
            and (${event ?? null}::text is null or event = ${event ?? null})
          order by number desc limit ${limit + 1}`),
        limit,
        ({ number }) => number,
      ),

    get: async (accountId: number, id: string): Promise<DeliveryDetails | null> => {
      const delivery = await pool.maybeOne(sql.type(detailsRow)`
        select ${columnsOf(detailsRow)} from deliveries
        where id = ${id} and account_id = ${accountId}`);
      if (!delivery) return null;
      const history = await pool.any(sql.type(attemptRow)`
        select ${columnsOf(attemptRow)} from delivery_attempts
        where delivery_id = ${id} order by number`);
      return { ...delivery, history };
    },

    /**
     * Sends failed deliveries of events since a moment again, the oldest first, as `redeliver` does. Returns
     * how many, and whether there are more.
     */
    recover: (accountId: number, webhookId: number, since: Date) =>
      pool.transaction(async (transaction) => {
        const target = await transaction.maybeOne(sql.type(disabledRow)`
          select disabled_reason is not null as is_disabled from webhooks
          where id = ${webhookId} and account_id = ${accountId} for key share`);
        if (!target) return null;
        if (target.is_disabled) return "disabled";
        const failed = await transaction.any(sql.type(failedRow)`
          select id, attempts from deliveries
          where webhook_id = ${webhookId} and status = 'failed' and created_at >= ${timestamp(since)}
          order by number limit ${RECOVERY_BATCH + 1} for update`);
        const batch = failed.slice(0, RECOVERY_BATCH);
        for (const { id, attempts } of batch) {
          await requestAttempt(transaction, webhookId, { delivery_id: id, attempt: attempts + 1 });
        }
        await transaction.query(sql.unsafe`
          update deliveries set ${again}
          where id = any(${sql.array(
            batch.map(({ id }) => id),
            "uuid",
          )})`);
        return { redelivered: batch.length, has_more: failed.length > batch.length };
      }),

    /** Sends it again, whatever its state, with as many attempts as a new one has. */
    redeliver: (accountId: number, id: string) =>
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
          update deliveries set ${again} where id = ${id} returning ${deliveryColumns}`);
      }),

    /** A delivery that is pending or retrying; null otherwise. */
    outgoing: (id: string) =>
      pool.maybeOne(sql.type(outgoingRow)`
        select d.id, d.account_id, d.webhook_id, d.event, d.body, d.attempts, d.attempts_allowed, w.url, w.secret,
          w.previous_secret, w.previous_until, w.disabled_reason is not null as is_disabled,
          a.frozen as is_frozen
        from deliveries d join webhooks w on w.id = d.webhook_id
          join accounts a on a.id = d.account_id
        where d.id = ${id} and d.status in ('pending', 'retrying')`),

    /**
     * Records the outcome, and requests the next attempt where there is to be one. Does nothing when
     * another attempt was recorded since the delivery was read, or it was sent again by hand.
     */
    settle: (delivery: OutgoingDelivery, outcome: Outcome) =>
      pool.transaction(async (transaction) => {
        const { id, attempts, attempts_allowed } = delivery;
        const attempt = "attempt" in outcome ? outcome.attempt : null;
        const next = outcome.status === "retrying" ? outcome.next_attempt_at : null;
        const made = attempt
          ? sql.fragment`attempts = attempts + 1,
              attempted_at = ${timestamp(attempt.attempted_at)},
              response_status = ${attempt.response_status},
              response_ms = ${attempt.response_ms},
              response_body = ${attempt.response_body},
              error = ${attempt.error}`
          : sql.fragment`error = ${"reason" in outcome ? outcome.reason : null}`;
        const settled = await transaction.maybeOne(sql.type(webhookRow)`
          update deliveries
          set status = ${outcome.status}, next_attempt_at = ${timestamp(next)}, ${made}
          where id = ${id} and attempts = ${attempts} and attempts_allowed = ${attempts_allowed}
          returning webhook_id`);
        if (settled && attempt) await recordAttempt(transaction, id, attempts + 1, attempt);
        if (settled && next) {
          const again = { delivery_id: id, attempt: attempts + 2 };
          await requestAttempt(transaction, settled.webhook_id, again, next);
        }
      }),

    /** Disables the webhook of a delivery, whose receiver is gone. */
    disableWebhookOf: async (id: string) => {
      await pool.query(sql.unsafe`
        update webhooks set disabled_reason = coalesce(disabled_reason, 'gone')
        where id = (select webhook_id from deliveries where id = ${id})`);
    },
  };
}

async function recordAttempt(
  transaction: Connection,
  deliveryId: string,
  number: number,
  attempt: Attempt,
): Promise<void> {
  const { attempted_at, response_status, response_ms, response_body, error } = attempt;
  await transaction.query(sql.unsafe`
    insert into delivery_attempts
      (delivery_id, number, attempted_at, response_status, response_ms, response_body, error)
    values (${deliveryId}, ${number}, ${timestamp(attempted_at)}, ${response_status},
      ${response_ms}, ${response_body}, ${error})`);
}
