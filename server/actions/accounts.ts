/** Accounts as the operator manages them, and the checks of every authenticated call. */
import { hash } from "@node-rs/argon2";
import {
  type Account,
  Conflict,
  type Credentials,
  type Database,
  type Plan,
  type Responsible,
  type Role,
} from "../../db/index.ts";
import { InvalidInput, issueAt } from "./errors.ts";
import type { FailureCode } from "./failures.ts";

/** Default credits of a new account. */
const OPENING_CREDITS = 100;

/** The account is suspended until the operator lifts it. */
export class AccountFrozen extends Error {
  override readonly name = "AccountFrozen";
  readonly code = "account_frozen" satisfies FailureCode;
  readonly accountId: number;
  constructor(accountId: number) {
    super("the account is frozen");
    this.accountId = accountId;
  }
}

/** The account's plan does not include programmatic access. */
export class PlanRequired extends Error {
  override readonly name = "PlanRequired";
  readonly code = "plan_required" satisfies FailureCode;
  readonly plan: Plan;
  constructor(plan: Plan) {
    super(`the ${plan} plan has no programmatic access: it takes pro, agency or trial`);
    this.plan = plan;
  }
}

/** There is no account with this id. */
export class AccountNotFound extends Error {
  override readonly name = "AccountNotFound";
  readonly code = "not_found" satisfies FailureCode;
  constructor(id: number) {
    super(`there is no account ${id}`);
  }
}

function requireAccount<Found>(found: Found | null, id: number): Found {
  if (found === null) throw new AccountNotFound(id);
  return found;
}

/** Throws `AccountFrozen` for a frozen account. */
export function requireActive(account: Account): void {
  if (account.frozen) throw new AccountFrozen(account.id);
}

/** Throws `PlanRequired` for a plan without programmatic access. */
export function requireProgrammaticPlan(account: Account): void {
  if (account.plan === "starter") throw new PlanRequired(account.plan);
}

/** Throws InvalidInput for what cannot be an e-mail address. */
export function requireEmail(email: string): void {
  // Only sending mail can verify an address; RFC 5321 section 4.5.3.1.3 limits its length.
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new InvalidInput([issueAt("/email", email, "an e-mail address")]);
  }
}

export interface AccountFields {
  readonly email: string;
  readonly plan: Plan;
  /** Default: `OPENING_CREDITS`. */
  readonly credits?: number | undefined;
  /** Without one the account cannot log in, only use keys and tokens. */
  readonly password?: string | undefined;
  /**
   * Whether credits are granted only when the e-mail address is verified, for which mail is sent.
   */
  readonly creditsAwaitVerification?: boolean;
}

/**
 * Creates an account; of a password only the argon2id hash is stored. Throws `InvalidInput` for an
 * invalid e-mail address, `Conflict` for one that is taken.
 */
export async function createAccount(
  db: Database,
  {
    email,
    plan,
    credits = OPENING_CREDITS,
    password,
    creditsAwaitVerification = false,
  }: AccountFields,
): Promise<Account> {
  requireEmail(email);
  const password_hash = password === undefined ? {} : { password_hash: await hash(password) };
  const granted = creditsAwaitVerification
    ? { credits: 0, verification_credits: credits }
    : { credits };
  return db.accounts.create({ email, plan, ...granted, ...password_hash });
}

/** Returns an account. Throws `AccountNotFound`. */
export async function findAccount(db: Database, id: number): Promise<Account> {
  return requireAccount(await db.accounts.byId(id), id);
}

/** Returns an account with its credentials. Throws `AccountNotFound`. */
export async function findCredentials(db: Database, id: number): Promise<Account & Credentials> {
  return requireAccount(await db.accounts.credentials(id), id);
}

/**
 * Sets the password of an account, of which only the argon2id hash is stored, and revokes its
 * tokens. Returns the new version of its tokens. Throws `AccountNotFound`.
 */
export async function setPassword(db: Database, id: number, password: string): Promise<number> {
  return requireAccount(await db.accounts.revokeTokens(id, await hash(password)), id);
}

/** Updates the given fields of an account, as an operator does. Throws `AccountNotFound`. */
export async function changeAccount(
  db: Database,
  id: number,
  fields: { role?: Role; plan?: Plan; credits?: number; frozen?: boolean },
  by: Responsible = {},
): Promise<Account> {
  return requireAccount(await db.accounts.update(id, fields, by), id);
}

/**
 * Adds credits to an account, or removes them if `amount` is negative. Throws `AccountNotFound`,
 * `Conflict` if it has too few.
 */
export async function adjustCredits(
  db: Database,
  id: number,
  amount: number,
  by: Responsible = {},
): Promise<Account> {
  return requireAccount(await db.accounts.adjustCredits(id, amount, by), id);
}

/** Creates the first account of an installation; returns null if it exists. */
export async function createFirstAccount(db: Database): Promise<Account | null> {
  try {
    return await createAccount(db, { email: "trial@localhost", plan: "trial" });
  } catch (error) {
    if (error instanceof Conflict) return null;
    throw error;
  }
}

/** Name of an account as an owner in the engine's queue. */
export const ownerOf = (accountId: number): string => `account ${accountId}`;
