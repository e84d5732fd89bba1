/** The queries about mail that accounts are sent, and the tokens in it, as types. */
import type { Account } from "./records.ts";

export type MailPurpose = "verify_email" | "reset_password";

export interface MailTokens {
  /**
   * Requests a message, to be sent by the job `send_mail`; null stands for an address without an
   * account, so that both cases do the same work here.
   */
  request(purpose: MailPurpose, accountId: number | null): Promise<void>;
  /** Stores a token by its SHA-256. Expired ones of all accounts are deleted. */
  store(
    purpose: MailPurpose,
    accountId: number,
    tokenHash: Uint8Array,
    lifetimeSeconds: number,
  ): Promise<void>;
  /** Whether a token of this purpose is stored, unused and not expired. */
  isValid(purpose: MailPurpose, tokenHash: Uint8Array): Promise<boolean>;
  /**
   * Uses a token up, marks the account's address as verified and grants the credits that depend on it.
   * Null for a token that is unknown, used or expired.
   */
  verifyEmail(tokenHash: Uint8Array): Promise<Account | null>;
  /**
   * Uses a token up, replaces the password's hash and revokes all user session tokens. The address is
   * verified by it; where it was not before, somebody else may have created the account, so its API
   * keys and webhooks go. Null for a token that is unknown, used or expired.
   */
  resetPassword(
    tokenHash: Uint8Array,
    passwordHash: string,
  ): Promise<{ readonly account: Account; readonly tokenVersion: number } | null>;
}
