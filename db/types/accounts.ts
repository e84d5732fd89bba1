/** The queries about accounts and their users, as types. */
import type { Usage } from "../quotas.ts";
import type { Account, Credentials, Plan } from "./records.ts";

export interface Accounts {
  create(fields: {
    email: string;
    plan: Plan;
    credits: number;
    password_hash?: string;
    /**
     * Granted once the address is verified, for which mail is requested at once. Left out: no mail.
     */
    verification_credits?: number;
  }): Promise<Account>; // throws Conflict when the e-mail is taken
  byId(id: number): Promise<Account | null>;
  byEmail(email: string): Promise<(Account & Credentials) | null>;
  /** The account and its credentials; null when there is no such account. */
  credentials(id: number): Promise<(Account & Credentials) | null>;
  /**
   * The account that a user session token is for. Null when there is none, or when `version` is not
   * the account's token version any more; a null version is not checked.
   */
  byToken(id: number, version: number | null): Promise<Account | null>;
  /**
   * Replaces the password's hash, or leaves it where `passwordHash` is undefined, and raises the
   * token version, so that all tokens made before are revoked. Returns the new version; null when
   * there is no such account.
   */
  revokeTokens(id: number, passwordHash?: string): Promise<number | null>;
  list(): Promise<readonly Account[]>;
  /** Whether any account lists the origin in its `return_origins`. */
  isReturnOrigin(origin: string): Promise<boolean>;
  update(
    id: number,
    fields: {
      plan?: Plan;
      credits?: number;
      frozen?: boolean;
      low_credit_threshold?: number;
      return_origins?: readonly string[];
    },
  ): Promise<Account | null>;
  /**
   * Adds credits, or removes them where `amount` is negative. Null when there is no such account;
   * throws Conflict where the balance would fall below zero.
   */
  adjustCredits(id: number, amount: number): Promise<Account | null>;
  /** Deletes an account with all its data. False when there is no such account. */
  delete(id: number): Promise<boolean>;
  /** What the account holds of each stored quota, from counters. */
  usage(id: number): Promise<Usage>;
}
