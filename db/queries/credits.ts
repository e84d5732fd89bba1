/** Credits: the balance on the account, and the ledger that says how it came about. */
import { type DatabaseTransactionConnection, sql } from "slonik";
import Type from "typebox";
import { CreditsExhausted } from "../door.ts";
import { row } from "../row.ts";

const balanceRow = row(Type.Object({ credits: Type.Integer() }));

/** Notes a change of the balance that was made in the same transaction; no change, no entry. */
export async function recordEntry(
  transaction: DatabaseTransactionConnection,
  accountId: number,
  amount: number,
  reason: string,
  balanceAfter: number,
  reference: string | null = null,
): Promise<void> {
  if (amount === 0) return;
  await transaction.query(sql.unsafe`
    insert into credit_entries (account_id, amount, reason, reference, balance_after)
    values (${accountId}, ${amount}, ${reason}, ${reference}, ${balanceAfter})`);
}

/**
 * Takes `cost` credits for `reference` (`source:7`) in the transaction that makes what is paid for.
 * One conditional update, so that any number of charges at once never takes a balance below zero.
 * Throws `CreditsExhausted`, which rolls the transaction back.
 */
export async function charge(
  transaction: DatabaseTransactionConnection,
  accountId: number,
  cost: number,
  reason: string,
  reference: string,
): Promise<void> {
  if (cost === 0) return;
  const balance = await transaction.maybeOne(sql.type(balanceRow)`
    update accounts set credits = credits - ${cost}
    where id = ${accountId} and credits >= ${cost}
    returning credits`);
  if (!balance) throw new CreditsExhausted(cost);
  await recordEntry(transaction, accountId, -cost, reason, balance.credits, reference);
}
