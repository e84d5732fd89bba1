/** Mail to accounts, and the tokens in it. */
import { sql } from "slonik";
import Type from "typebox";
import { binary } from "../connection/binary.ts";
import { row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { MailPurpose } from "../jobs/types.ts";
import { accountColumns, accountRow } from "./accounts.ts";
import { recordEntry } from "./credits.ts";
import { endSessionsOf } from "./mcp-sessions.ts";
import { requestJob } from "./outbox.ts";

const ownerRow = row({ account_id: Type.Integer() });
const pendingRow = row({
  verification_credits: Type.Integer(),
  is_verified: Type.Boolean(),
  token_version: Type.Integer(),
});

/**
 * Uses up a token and all others of its account and purpose. Returns the account's id; null for a token
 * that is unknown, used or expired.
 */
async function consume(transaction: Connection, purpose: MailPurpose, tokenHash: Uint8Array) {
  const used = await transaction.maybeOne(sql.type(ownerRow)`
    delete from mail_tokens
    where sha256 = ${binary(tokenHash)} and purpose = ${purpose} and expires_at > now()
    returning account_id`);
  if (!used) return null;
  await transaction.query(sql.unsafe`
    delete from mail_tokens where account_id = ${used.account_id} and purpose = ${purpose}`);
  return used.account_id;
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
     * Requests a message, to be sent by the job `send_mail`; null stands for an address without an
     * account, so that both cases take the same time.
     */
    request: (purpose: MailPurpose, accountId: number | null) =>
      pool.transaction((transaction) =>
        requestJob(transaction, "send_mail", {
          data: { purpose, account_id: accountId },
          group: `account ${accountId}`,
        }),
      ),

    /** Stores a token by its SHA-256, and deletes the expired ones of all accounts. */
    store: (
      purpose: MailPurpose,
      accountId: number,
      tokenHash: Uint8Array,
      lifetimeSeconds: number,
    ) =>
      pool.transaction(async (transaction) => {
        await transaction.query(sql.unsafe`delete from mail_tokens where expires_at <= now()`);
        await transaction.query(sql.unsafe`
          insert into mail_tokens (sha256, account_id, purpose, expires_at)
          values (${binary(tokenHash)}, ${accountId}, ${purpose},
            now() + ${`${lifetimeSeconds} s`}::interval)`);
      }),

    /** Whether a token of this purpose is stored, unused and not expired. */
    isValid: (purpose: MailPurpose, tokenHash: Uint8Array) =>
      pool.exists(sql.unsafe`
        select from mail_tokens
        where sha256 = ${binary(tokenHash)} and purpose = ${purpose} and expires_at > now()`),

    /**
     * Uses a token up, marks the account's address as verified and grants the credits that depend on it.
     * Null for a token that is unknown, used or expired.
     */
    verifyEmail: (tokenHash: Uint8Array) =>
      pool.transaction(async (transaction) => {
        const id = await consume(transaction, "verify_email", tokenHash);
        return id === null ? null : (await markVerified(transaction, id)).account;
      }),

    /**
     * Uses a token up, replaces the password's hash, revokes all user session tokens and marks the
     * address as verified. Null for a token that is unknown, used or expired.
     */
    resetPassword: (tokenHash: Uint8Array, passwordHash: string) =>
      pool.transaction(async (transaction) => {
        const id = await consume(transaction, "reset_password", tokenHash);
        if (id === null) return null;
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
  };
}
