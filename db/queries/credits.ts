/** The ledger of credits: every change of a balance has an entry with its reason. */
import { sql } from "slonik";
import Type from "typebox";
import { columnsOf, Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { CreditsExhausted } from "../errors.ts";
import { recordEvent } from "./events.ts";
import { type PageRequest, page } from "./page.ts";

/** Why a balance changed. */
export const CREDIT_REASONS = [
  "opening_balance",
  "set_by_the_operator",
  "adjusted_by_the_operator",
  "email_verified",
  "source",
  "pattern",
] as const;

const balanceRow = row({ credits: Type.Integer(), low_credit_threshold: Type.Integer() });
const entryRow = row({
  id: Type.Integer(),
  /** Negative where credits were spent. */
  amount: Type.Integer(),
  reason: Type.Enum(CREDIT_REASONS),
  /** What was paid for: `source:7`. */
  reference: Nullable(Type.String()),
  /** Why, in the operator's words. */
  note: Nullable(Type.String()),
  balance_after: Type.Integer(),
  created_at: Timestamp,
});

const dayRow = row({
  /** In UTC: 2026-01-31. */
  day: Type.String(),
  spent: Type.Integer(),
  received: Type.Integer(),
});

/** A change of a balance. */
export type CreditEntry = RowOf<typeof entryRow>;

interface Change {
  readonly amount: number;
  readonly reason: (typeof CREDIT_REASONS)[number];
  /** What was paid for: `source:7`. */
  readonly reference?: string;
  /** Why, in the operator's words. */
  readonly note?: string | undefined;
}

/**
 * Records a change of the balance that was made in the same transaction, and, where it took the
 * balance below the account's threshold, the event `credits.low`. An amount of 0 has no entry.
 */
export async function recordEntry(
  transaction: Connection,
  accountId: number,
  { amount, reason, reference, note }: Change,
  { credits, low_credit_threshold: threshold }: RowOf<typeof balanceRow>,
): Promise<void> {
  if (amount === 0) return;
  await transaction.query(sql.unsafe`
    insert into credit_entries (account_id, amount, reason, reference, note, balance_after)
    values (${accountId}, ${amount}, ${reason}, ${reference ?? null}, ${note ?? null}, ${credits})`);
  if (credits < threshold && credits - amount >= threshold) {
    await recordEvent(transaction, accountId, "credits.low", { credits, threshold });
  }
}

/**
 * Takes `cost` credits in the transaction that makes what is paid for. One conditional update, so
 * that any number of charges at once never takes a balance below zero. Throws `CreditsExhausted`,
 * which rolls the transaction back.
 */
export async function charge(
  transaction: Connection,
  accountId: number,
  cost: number,
  what: Omit<Change, "amount">,
): Promise<void> {
  if (cost === 0) return;
  const balance = await transaction.maybeOne(sql.type(balanceRow)`
    update accounts set credits = credits - ${cost}
    where id = ${accountId} and credits >= ${cost}
    returning credits, low_credit_threshold`);
  if (!balance) throw new CreditsExhausted(cost);
  await recordEntry(transaction, accountId, { ...what, amount: -cost }, balance);
}

export function creditQueries(pool: Connection) {
  return {
    /** The changes of an account's balance, newest first. */
    entries: async (accountId: number, { before = null, limit }: PageRequest) =>
      page(
        await pool.any(sql.type(entryRow)`
          select ${columnsOf(entryRow)} from credit_entries
          where account_id = ${accountId} and (${before}::bigint is null or id < ${before})
          order by id desc limit ${limit + 1}`),
        limit,
      ),

    /** What was spent and received on each of the last days in UTC, the oldest first. */
    daily: (accountId: number, days: number) =>
      pool.any(sql.type(dayRow)`
        select to_char(day, 'YYYY-MM-DD') as day,
          coalesce(sum(-amount) filter (where amount < 0), 0)::int8 as spent,
          coalesce(sum(amount) filter (where amount > 0), 0)::int8 as received
        from generate_series(
          date_trunc('day', now() at time zone 'UTC') - ${`${days - 1} d`}::interval,
          now() at time zone 'UTC', '1 d') as days (day)
        left join credit_entries e on e.account_id = ${accountId}
          and e.created_at >= day at time zone 'UTC'
          and e.created_at < (day + interval '1 d') at time zone 'UTC'
        group by day order by day`),
  };
}
