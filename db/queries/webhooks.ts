/** Webhooks: subscriptions to events. */
import { sql } from "slonik";
import Type from "typebox";
import { columnsOf, idRow, Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { Conflict } from "../errors.ts";
import { createDelivery } from "./create-delivery.ts";
import { deliveryColumns, deliveryRow } from "./deliveries.ts";
import type { EventName } from "./events.ts";

/** Why nothing is sent: the owner disabled it, or the receiver answered 410. */
export const DISABLED_REASONS = ["by_request", "gone"] as const;

const webhookRow = row({
  id: Type.Integer(),
  account_id: Type.Integer(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  /** Until when the secret before the last rotation signs, too; null: there is none. */
  previous_until: Nullable(Timestamp),
  /** Null while it is enabled. */
  disabled_reason: Nullable(Type.Enum(DISABLED_REASONS)),
  created_at: Timestamp,
});
const webhookColumns = columnsOf(webhookRow);

/** A subscription to events. Its secret is never read back. */
export type Webhook = RowOf<typeof webhookRow>;

interface NewWebhook {
  readonly url: string;
  readonly events: readonly EventName[];
  readonly secret: string;
}

interface WebhookChanges {
  readonly url?: string | null;
  readonly events?: readonly EventName[];
  /** `true` also enables a webhook that was disabled because its receiver was gone. */
  readonly enabled?: boolean | null;
}

const countRow = row({ count: Type.Integer() });
const targetRow = row({ is_disabled: Type.Boolean(), now: Timestamp });

export function webhookQueries(pool: Connection) {
  return {
    /** Throws `Conflict` where the account has `atMost` of them already. */
    create: (accountId: number, { url, events, secret }: NewWebhook, atMost: number) =>
      pool.transaction(async (transaction) => {
        // Locked, so that concurrent calls count each other's webhooks.
        await transaction.query(sql.unsafe`
          select from accounts where id = ${accountId} for no key update`);
        const { count } = await transaction.one(sql.type(countRow)`
          select count(*) from webhooks where account_id = ${accountId}`);
        if (count >= atMost) throw new Conflict(`the account has ${count} webhooks already`);
        return transaction.one(sql.type(webhookRow)`
          insert into webhooks (account_id, url, events, secret)
          values (${accountId}, ${url}, ${sql.array([...events], "text")}, ${secret})
          returning ${webhookColumns}`);
      }),

    /** Newest first. */
    list: (accountId: number) =>
      pool.any(sql.type(webhookRow)`
        select ${webhookColumns} from webhooks where account_id = ${accountId} order by id desc`),

    get: (accountId: number, id: number) =>
      pool.maybeOne(sql.type(webhookRow)`
        select ${webhookColumns} from webhooks where id = ${id} and account_id = ${accountId}`),

    /** Changes the given fields. */
    update: (
      accountId: number,
      id: number,
      { url = null, events, enabled = null }: WebhookChanges,
    ) =>
      pool.maybeOne(sql.type(webhookRow)`
        update webhooks set
          url = coalesce(${url}, url),
          events = coalesce(${events ? sql.array([...events], "text") : null}, events),
          disabled_reason = case ${enabled}::boolean
            when true then null
            when false then coalesce(disabled_reason, 'by_request')
            else disabled_reason
          end
        where id = ${id} and account_id = ${accountId}
        returning ${webhookColumns}`),

    /** Deletes a webhook with its deliveries. False when there is no such webhook. */
    delete: async (accountId: number, id: number) => {
      const deleted = await pool.maybeOne(sql.type(idRow)`
        delete from webhooks where id = ${id} and account_id = ${accountId} returning id`);
      return deleted !== null;
    },

    /** Replaces the secret; the old one signs, too, for so many hours. */
    rotateSecret: (accountId: number, id: number, secret: string, overlapHours: number) =>
      pool.transaction((transaction) =>
        transaction.maybeOne(sql.type(webhookRow)`
          update webhooks set secret = ${secret},
            previous_secret = case when ${overlapHours} > 0 then secret end,
            previous_until = case when ${overlapHours} > 0
              then now() + ${`${overlapHours} h`}::interval end
          where id = ${id} and account_id = ${accountId}
          returning ${webhookColumns}`),
      ),

    /** Sends an event that did not happen, such as `ping`, whatever the webhook subscribes to. */
    sendTest: (accountId: number, id: number, event: string, fields: object) =>
      pool.transaction(async (transaction) => {
        const target = await transaction.maybeOne(sql.type(targetRow)`
          select disabled_reason is not null as is_disabled, now() from webhooks
          where id = ${id} and account_id = ${accountId} for key share`);
        if (!target) return null;
        if (target.is_disabled) return "disabled";
        const made = await createDelivery(transaction, {
          accountId,
          webhookId: id,
          event,
          data: fields,
          created_at: target.now,
        });
        return transaction.one(sql.type(deliveryRow)`
          select ${deliveryColumns} from deliveries where id = ${made}`);
      }),
  };
}
