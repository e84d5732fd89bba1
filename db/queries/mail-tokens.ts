/** Mail to accounts, and the tokens in it. */
import { sql } from "slonik";
import Type from "typebox";
import { binary } from "../connection/binary.ts";
import { Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { LinkPurpose } from "../jobs/types.ts";
import { accountColumns, accountRow, toConflict } from "./accounts.ts";
import { recordEntry } from "./credits.ts";
import { endSessionsOf } from "./mcp-sessions.ts";
import { requestJob } from "./outbox.ts";

const ownerRow = row({
  account_id: Type.Integer(),
  /** The address that it was sent to, if it changes the account's. */
  email: Nullable(Type.String()),
});
const pendingRow = row({
  verification_credits: Type.Integer(),
  is_verified: Type.Boolean(),
  token_version: Type.Integer(),
});

/**
 * Uses up a token and all others of its account and purpose. Returns whose it was; null for a token
 * that is unknown, used or expired.
 */
async function consume(
  transaction: Connection,
  purpose: LinkPurpose,
  tokenHash: Uint8Array,
  accountId: number | null = null,
) {
  const used = await transaction.maybeOne(sql.type(ownerRow)`
    delete from mail_tokens
    where sha256 = ${binary(tokenHash)} and purpose = ${purpose} and expires_at > now()
      and (${accountId}::bigint is null or account_id = ${accountId})
    returning account_id, email`);
  if (!used) return null;
  await transaction.query(sql.unsafe`
    delete from mail_tokens where account_id = ${used.account_id} and purpose = ${purpose}`);
  return used;
}

/**
 * Marks an address as verified and grants the credits that depend on it. With a password's hash it
 * replaces the old one and revokes all user session tokens.
 */
async function markVerified(
  transaction: Connection,
  id: number,
  passwordHash: string | null = null,
) {
  const before = await transaction.one(sql.type(pendingRow)`
    select verification_credits, email_verified_at is not null as is_verified, token_version
    from accounts where id = ${id} for update`);
  const account = await transaction.one(sql.type(accountRow)`
    update accounts a set credits = credits + verification_credits, verification_credits = 0,
      email_verified_at = coalesce(email_verified_at, now()),
      password_hash = coalesce(${passwordHash}, password_hash),
      token_version = token_version + ${passwordHash === null ? 0 : 1}
    where id = ${id} returning ${accountColumns}`);
  const grant = { amount: before.verification_credits, reason: "email_verified" } as const;
  await recordEntry(transaction, id, grant, account);
  return { account, before };
}

export function mailTokenQueries(pool: Connection) {
  return {
    /**
     * Requests a link, to be sent by the job `send_mail`; null stands for an address without an
     * account, so that both cases take the same time.
     * @param to left out: the account's address
     */
    request: (purpose: LinkPurpose, accountId: number | null, to?: string) =>
      pool.transaction((transaction) =>
        requestJob(transaction, "send_mail", {
          data: { purpose, account_id: accountId, ...(to !== undefined && { to }) },
          group: `account ${accountId}`,
        }),
      ),

    /** Stores a token by its SHA-256, and deletes the expired ones of all accounts. */
    store: (
      purpose: LinkPurpose,
      accountId: number,
      tokenHash: Uint8Array,
      lifetimeSeconds: number,
      email: string | null = null,
    ) =>
      pool.transaction(async (transaction) => {
        await transaction.query(sql.unsafe`delete from mail_tokens where expires_at <= now()`);
        await transaction.query(sql.unsafe`
          insert into mail_tokens (sha256, account_id, purpose, email, expires_at)
          values (${binary(tokenHash)}, ${accountId}, ${purpose}, ${email},
            now() + ${`${lifetimeSeconds} s`}::interval)`);
      }),

    /** Whether a token of this purpose is stored, unused and not expired. */
    isValid: (purpose: LinkPurpose, tokenHash: Uint8Array) =>
      pool.exists(sql.unsafe`
        select from mail_tokens
        where sha256 = ${binary(tokenHash)} and purpose = ${purpose} and expires_at > now()`),

    /**
     * Uses a token up, marks the account's address as verified and grants the credits that depend on it.
     * Null for a token that is unknown, used or expired.
     */
    verifyEmail: (tokenHash: Uint8Array) =>
      pool.transaction(async (transaction) => {
        const used = await consume(transaction, "verify_email", tokenHash);
        return used && (await markVerified(transaction, used.account_id)).account;
      }),

    /**
     * Uses a token up, replaces the password's hash, revokes all user session tokens and marks the
     * address as verified. Null for a token that is unknown, used or expired.
     */
    resetPassword: (tokenHash: Uint8Array, passwordHash: string) =>
      pool.transaction(async (transaction) => {
        const used = await consume(transaction, "reset_password", tokenHash);
        if (used === null) return null;
        const { account_id: id } = used;
        const { account, before } = await markVerified(transaction, id, passwordHash);
        // An unverified account may have been created by someone who does not own the address, so its
        // API keys and webhooks are deleted. Accounts that never had to verify theirs keep them.
        if (!before.is_verified && before.verification_credits > 0) {
          await transaction.query(sql.unsafe`
            update api_keys set revoked_at = now() where account_id = ${id} and revoked_at is null`);
          await endSessionsOf(transaction, sql.fragment`account_id = ${id}`);
          await transaction.query(sql.unsafe`delete from webhooks where account_id = ${id}`);
        }
        return { account, tokenVersion: before.token_version + 1 };
      }),

    /**
     * Uses up a token of this account: the address that it was sent to, verified now, becomes the
     * account's, and mail tells the old one. Null for a token that is unknown, used, expired or another
     * account's. Throws `Conflict` for an address that is taken.
     */
    changeEmail: (accountId: number, tokenHash: Uint8Array) =>
      pool.transaction(async (transaction) => {
        const used = await consume(transaction, "change_email", tokenHash, accountId);
        if (!used?.email) return null;
        const { old_email } = await setEmail(transaction, accountId, used.email);
        const data = { purpose: "email_changed", account_id: accountId, to: old_email } as const;
        await requestJob(transaction, "send_mail", { data, group: `account ${accountId}` });
        return (await markVerified(transaction, accountId)).account;
      }),

    /** Sets an unverified address. Throws `Conflict` for one that is taken. */
    setEmail: (accountId: number, email: string) =>
      pool.transaction((transaction) => setEmail(transaction, accountId, email)),
  };
}

const changedRow = row({ ...accountRow.columns, old_email: Type.String() });

/** Changes an address. Links that were sent to the old one work no more. */
async function setEmail(transaction: Connection, id: number, email: string) {
  await transaction.query(sql.unsafe`delete from mail_tokens where account_id = ${id}`);
  try {
    return await transaction.one(sql.type(changedRow)`
      update accounts a set email = ${email}, email_verified_at = null
      from (select email as old_email from accounts where id = ${id} for update) as b
      where a.id = ${id} returning ${accountColumns}, old_email`);
  } catch (error) {
    throw toConflict(error, email);
  }
}
