/** Mail that accounts are sent, and the tokens in it. */
import { sql } from "slonik";
import Type from "typebox";
import { row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Database, MailPurpose } from "../types/index.ts";
import { AccountRow, accountColumns } from "./accounts.ts";
import { recordEntry } from "./credits.ts";
import { endSessionsOf } from "./mcp-sessions.ts";
import { requestJob } from "./outbox.ts";

const ownerRow = row(Type.Object({ account_id: Type.Integer() }));
const pendingRow = row(
  Type.Object({
    verification_credits: Type.Integer(),
    is_verified: Type.Boolean(),
    token_version: Type.Integer(),
  }),
);
const accountRow = row(AccountRow);

const binary = (bytes: Uint8Array) => sql.binary(Buffer.from(bytes));

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
 * Marks an address as verified and grants what depends on it. With a password's hash,
 * replaces that and revokes all user session tokens.
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
    where id = ${id} returning ${accountColumns("a")}`);
  const grant = { amount: before.verification_credits, reason: "email_verified" } as const;
  await recordEntry(transaction, id, grant, account);
  return { account, before };
}

/** The queries about mail and its tokens. */
export function mailTokenQueries(pool: Connection): Database["mailTokens"] {
  return {
    request: (purpose, accountId) =>
      pool.transaction((transaction) =>
        requestJob(transaction, "send_mail", {
          data: { purpose, account_id: accountId },
          group: `account ${accountId}`,
        }),
      ),

    store: (purpose, accountId, tokenHash, lifetimeSeconds) =>
      pool.transaction(async (transaction) => {
        await transaction.query(sql.unsafe`delete from mail_tokens where expires_at <= now()`);
        await transaction.query(sql.unsafe`
          insert into mail_tokens (sha256, account_id, purpose, expires_at)
          values (${binary(tokenHash)}, ${accountId}, ${purpose},
            now() + ${`${lifetimeSeconds} s`}::interval)`);
      }),

    isValid: (purpose, tokenHash) =>
      pool.exists(sql.unsafe`
        select from mail_tokens
        where sha256 = ${binary(tokenHash)} and purpose = ${purpose} and expires_at > now()`),

    verifyEmail: (tokenHash) =>
      pool.transaction(async (transaction) => {
        const id = await consume(transaction, "verify_email", tokenHash);
        return id === null ? null : (await markVerified(transaction, id)).account;
      }),

    resetPassword: (tokenHash, passwordHash) =>
      pool.transaction(async (transaction) => {
        const id = await consume(transaction, "reset_password", tokenHash);
        if (id === null) return null;
        const { account, before } = await markVerified(transaction, id, passwordHash);
        // Somebody else may have signed up with this address. Accounts that never had to verify theirs
        // keep what they have.
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
