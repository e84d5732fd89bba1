/** Accounts as the operator makes and changes them, and the two gates that every call passes. */
import { hash } from "@node-rs/argon2";
import {
  type Account,
  Conflict,
  type Credentials,
  type Database,
  type Plan,
} from "../../db/index.ts";
import { InvalidInput, issueAt } from "./errors.ts";
import type { FailureCode } from "./failures.ts";

/** What a new account may spend when nobody says otherwise. */
const OPENING_CREDITS = 100;

/** The account is suspended: nothing works until the operator lifts it. */
export class AccountFrozen extends Error {
  override readonly name = "AccountFrozen";
  readonly code = "account_frozen" satisfies FailureCode;
  readonly accountId: number;
  constructor(accountId: number) {
    super("the account is frozen");
    this.accountId = accountId;
  }
}

/** The account's plan does not hold programmatic access. */
export class PlanRequired extends Error {
  override readonly name = "PlanRequired";
  readonly code = "plan_required" satisfies FailureCode;
  readonly plan: Plan;
  constructor(plan: Plan) {
    super(`the ${plan} plan has no programmatic access: it takes pro, agency or trial`);
    this.plan = plan;
  }
}

/** There is no account with this number. */
export class NoSuchAccount extends Error {
  override readonly name = "NoSuchAccount";
  readonly code = "not_found" satisfies FailureCode;
  constructor(id: number) {
    super(`there is no account ${id}`);
  }
}

function requireAccount<Found>(found: Found | null, id: number): Found {
  if (found === null) throw new NoSuchAccount(id);
  return found;
}

/** Lets an account pass that is not frozen. Throws `AccountFrozen`. */
export function requireActive(account: Account): void {
  if (account.frozen) throw new AccountFrozen(account.id);
}

/** Lets an account pass whose plan holds programmatic access. Throws `PlanRequired`. */
export function requireProgrammaticPlan(account: Account): void {
  if (account.plan === "starter") throw new PlanRequired(account.plan);
}

export interface AccountFields {
  readonly email: string;
  readonly plan: Plan;
  /** Left out: `OPENING_CREDITS`. */
  readonly credits?: number | undefined;
  /** Left out: an account that cannot log in, only use keys and tokens it is given. */
  readonly password?: string | undefined;
  /** Whether the credits come only once the e-mail address is verified, for which mail is sent. */
  readonly isVerifiedFirst?: boolean;
}

/**
 * Makes an account; of a password only its argon2id hash is kept. Throws `InvalidInput` for what
 * is no e-mail address, `Conflict` for one that is taken.
 */
export async function createAccount(
  db: Database,
  { email, plan, credits = OPENING_CREDITS, password, isVerifiedFirst = false }: AccountFields,
): Promise<Account> {
  // Whether mail arrives there only mail can tell; RFC 5321 section 4.5.3.1.3 gives the length.
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new InvalidInput([issueAt("/email", email, "an e-mail address")]);
  }
  const password_hash = password === undefined ? {} : { password_hash: await hash(password) };
  const granted = isVerifiedFirst ? { credits: 0, verification_credits: credits } : { credits };
  return db.accounts.create({ email, plan, ...granted, ...password_hash });
}

/** The account with this number. Throws `NoSuchAccount`. */
export async function findAccount(db: Database, id: number): Promise<Account> {
  return requireAccount(await db.accounts.byId(id), id);
}

/** The account with this number and its credentials. Throws `NoSuchAccount`. */
export async function findCredentials(db: Database, id: number): Promise<Account & Credentials> {
  return requireAccount(await db.accounts.credentials(id), id);
}

/**
 * Sets the password of an account and revokes all its tokens; of the password only its argon2id hash
 * is stored. Returns the version of tokens that are valid from now on. Throws `NoSuchAccount`.
 */
export async function setPassword(db: Database, id: number, password: string): Promise<number> {
  return requireAccount(await db.accounts.revokeTokens(id, await hash(password)), id);
}

/** Changes what is given of an account. Throws `NoSuchAccount`. */
export async function changeAccount(
  db: Database,
  id: number,
  fields: { plan?: Plan; credits?: number; frozen?: boolean },
): Promise<Account> {
  return requireAccount(await db.accounts.update(id, fields), id);
}

/**
 * Adds credits to an account, or removes them where `amount` is negative. Throws `NoSuchAccount`,
 * `Conflict` where it has fewer than are to be removed.
 */
export async function adjustCredits(db: Database, id: number, amount: number): Promise<Account> {
  return requireAccount(await db.accounts.adjustCredits(id, amount), id);
}

/** Makes the account that a fresh installation starts with; null when it is there already. */
export async function createFirstAccount(db: Database): Promise<Account | null> {
  try {
    return await createAccount(db, { email: "trial@localhost", plan: "trial" });
  } catch (error) {
    if (error instanceof Conflict) return null;
    throw error;
  }
}

/** An account as the engine's queue knows it, in which accounts take turns. */
export const ownerOf = (accountId: number): string => `account ${accountId}`;
