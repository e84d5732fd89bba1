/** Subscriptions to events. */
import { sql } from "slonik";
import Type from "typebox";
import { Instant, idRow, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { Conflict, type Database, DISABLED_REASONS } from "../types/index.ts";
import { announce } from "./announcements.ts";
import { deliveryColumns, deliveryRow } from "./deliveries.ts";

const webhookRow = row(
  Type.Object({
    id: Type.Integer(),
    account_id: Type.Integer(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    previous_until: Nullable(Instant),
    disabled_reason: Nullable(Type.Enum([...DISABLED_REASONS])),
    created_at: Instant,
  }),
);
const webhookColumns = sql.fragment`
  id, account_id, url, events, previous_until, disabled_reason, created_at`;

const countRow = row(Type.Object({ count: Type.Integer() }));
const targetRow = row(Type.Object({ is_disabled: Type.Boolean(), now: Instant }));

/** The queries about subscriptions; their contract is the door's. */
export function webhookQueries(pool: Connection): Database["webhooks"] {
  return {
    create: (accountId, { url, events, secret }, atMost) =>
      pool.transaction(async (transaction) => {
        // Of those that are made at the same time, each sees the ones before.
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

    list: (accountId) =>
      pool.any(sql.type(webhookRow)`
        select ${webhookColumns} from webhooks where account_id = ${accountId} order by id desc`),

    get: (accountId, id) =>
      pool.maybeOne(sql.type(webhookRow)`
        select ${webhookColumns} from webhooks where id = ${id} and account_id = ${accountId}`),

    update: (accountId, id, { url = null, events, enabled = null }) =>
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

    delete: async (accountId, id) => {
      const deleted = await pool.maybeOne(sql.type(idRow)`
        delete from webhooks where id = ${id} and account_id = ${accountId} returning id`);
      return deleted !== null;
    },

    rotateSecret: (accountId, id, secret, overlapHours) =>
      pool.transaction((transaction) =>
        transaction.maybeOne(sql.type(webhookRow)`
          update webhooks set secret = ${secret},
            previous_secret = case when ${overlapHours} > 0 then secret end,
            previous_until = case when ${overlapHours} > 0
              then now() + ${`${overlapHours} h`}::interval end
          where id = ${id} and account_id = ${accountId}
          returning ${webhookColumns}`),
      ),

    ping: (accountId, id) =>
      pool.transaction(async (transaction) => {
        const target = await transaction.maybeOne(sql.type(targetRow)`
          select disabled_reason is not null as is_disabled, now() from webhooks
          where id = ${id} and account_id = ${accountId} for key share`);
        if (!target) return null;
        if (target.is_disabled) return "disabled";
        const made = await announce(transaction, {
          accountId,
          webhookId: id,
          event: "ping",
          data: { webhook_id: id },
          created_at: target.now,
        });
        return transaction.one(sql.type(deliveryRow)`
          select ${deliveryColumns} from deliveries where id = ${made}`);
      }),
  };
}
