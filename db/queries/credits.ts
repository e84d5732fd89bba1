/** The ledger of credits: every change of a balance has an entry that says how it came about. */
import { sql } from "slonik";
import Type from "typebox";
import { Instant, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { CREDIT_REASONS, CreditsExhausted, type Database } from "../types/index.ts";
import { recordEvent } from "./events.ts";
import { page } from "./page.ts";

const balanceRow = row(
  Type.Object({ credits: Type.Integer(), low_credit_threshold: Type.Integer() }),
);
const entryRow = row(
  Type.Object({
    id: Type.Integer(),
    amount: Type.Integer(),
    reason: Type.Union(CREDIT_REASONS.map((reason) => Type.Literal(reason))),
    reference: Nullable(Type.String()),
    balance_after: Type.Integer(),
    created_at: Instant,
  }),
);

interface Change {
  readonly amount: number;
  readonly reason: (typeof CREDIT_REASONS)[number];
  /** What was paid for: `source:7`. */
  readonly reference?: string;
}

/** The account's columns after the change. */
interface Balance {
  readonly credits: number;
  readonly low_credit_threshold: number;
}

/**
 * Notes a change of the balance that was made in the same transaction, and, where it took the
 * balance below the account's threshold, that credits are low. No change, no entry.
 */
export async function recordEntry(
  transaction: Connection,
  accountId: number,
  { amount, reason, reference }: Change,
  { credits, low_credit_threshold: threshold }: Balance,
): Promise<void> {
  if (amount === 0) return;
  await transaction.query(sql.unsafe`
    insert into credit_entries (account_id, amount, reason, reference, balance_after)
    values (${accountId}, ${amount}, ${reason}, ${reference ?? null}, ${credits})`);
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

/** The queries about the ledger; their contract is the door's. */
export function creditQueries(pool: Connection): Database["credits"] {
  return {
    entries: async (accountId, { before = null, limit }) =>
      page(
        await pool.any(sql.type(entryRow)`
          select id, amount, reason, reference, balance_after, created_at from credit_entries
          where account_id = ${accountId} and (${before}::bigint is null or id < ${before})
          order by id desc limit ${limit + 1}`),
        limit,
      ),
  };
}
