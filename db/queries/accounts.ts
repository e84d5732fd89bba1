/** Accounts and their users. */
import { type FragmentSqlToken, sql, UniqueIntegrityConstraintViolationError } from "slonik";
import Type from "typebox";
import { columnsOf, Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { Conflict } from "../errors.ts";
import type { Plan } from "../quotas.ts";
import { recordEntry } from "./credits.ts";
import { deleteAccount } from "./delete-account.ts";
import { endJobsOf } from "./end-jobs.ts";
import { type OperatorAction, type Responsible, recordAction } from "./operator-actions.ts";
import { requestJob } from "./outbox.ts";
import type { Retention } from "./retention.ts";
import { PlanColumn, readUsage } from "./usage.ts";

/** What an account may see: itself, or all accounts. */
export const ROLES = ["owner", "operator"] as const;
export type Role = (typeof ROLES)[number];

export const accountRow = row({
  id: Type.Integer(),
  email: Type.String(),
  role: Type.Enum(ROLES),
  plan: PlanColumn,
  credits: Type.Integer(),
  frozen: Type.Boolean(),
  low_credit_threshold: Type.Integer(),
  return_origins: Type.Array(Type.String()),
  created_at: Timestamp,
  /** When a link sent to the address was opened; null: never. */
  email_verified_at: Nullable(Timestamp),
});
export type Account = RowOf<typeof accountRow>;

/** The columns of the table `accounts as a`. */
export const accountColumns = columnsOf(accountRow, "a");

const credentials = {
  /** Argon2id; null for an account without a password. */
  password_hash: Nullable(Type.String()),
  /** Tokens with another version are revoked. */
  token_version: Type.Integer(),
};
const credentialsRow = row(credentials);
export type Credentials = RowOf<typeof credentialsRow>;

const accountWithCredentialsRow = row({ ...accountRow.columns, ...credentials });
const versionRow = row({ token_version: Type.Integer() });
const foundRow = row({ found: Type.Boolean() });

interface NewAccount {
  readonly email: string;
  readonly plan: Plan;
  readonly credits: number;
  readonly password_hash?: string;
  /**
   * Granted once the address is verified, for which mail is requested at once. Left out: no mail.
   */
  readonly verification_credits?: number;
}

interface AccountChanges {
  readonly role?: Role;
  readonly plan?: Plan;
  readonly credits?: number;
  readonly frozen?: boolean;
  readonly low_credit_threshold?: number;
  readonly return_origins?: readonly string[];
}

/** `column = value` for each field that is given. */
function assignments(fields: AccountChanges) {
  const { role, plan, credits, frozen, low_credit_threshold, return_origins } = fields;
  return [
    // Sessions say which pages there are.
    role !== undefined &&
      sql.fragment`role = ${role},
        token_version = token_version + case when role = ${role} then 0 else 1 end`,
    plan !== undefined && sql.fragment`plan = ${plan}`,
    credits !== undefined && sql.fragment`credits = ${credits}`,
    frozen !== undefined && sql.fragment`frozen = ${frozen}`,
    low_credit_threshold !== undefined &&
      sql.fragment`low_credit_threshold = ${low_credit_threshold}`,
    return_origins !== undefined &&
      sql.fragment`return_origins = ${sql.array([...return_origins], "text")}`,
  ].filter((assignment) => assignment !== false);
}

/** What an operator changed, beside settings of the owner. */
function actionsBetween(before: Account, after: Account) {
  const actions: Pick<OperatorAction, "action" | "details">[] = [];
  if (before.frozen !== after.frozen) {
    actions.push({ action: after.frozen ? "account_frozen" : "account_unfrozen", details: {} });
  }
  if (before.plan !== after.plan) {
    actions.push({ action: "plan_changed", details: { from: before.plan, to: after.plan } });
  }
  if (before.role !== after.role) {
    actions.push({ action: "role_changed", details: { from: before.role, to: after.role } });
  }
  if (before.credits !== after.credits) {
    const amount = after.credits - before.credits;
    actions.push({ action: "credits_changed", details: { amount, balance: after.credits } });
  }
  return actions;
}

/** Returns the error of a statement that set an e-mail address: `Conflict` for one that is taken. */
export function toConflict(cause: unknown, email: string): unknown {
  if (!(cause instanceof UniqueIntegrityConstraintViolationError)) return cause;
  return new Conflict(`there is an account with the e-mail address ${email} already`, { cause });
}

export function accountQueries(pool: Connection, retention: Retention) {
  const byId = (id: number) =>
    pool.maybeOne(
      sql.type(accountRow)`select ${accountColumns} from accounts a where a.id = ${id}`,
    );

  const withCredentials = (where: FragmentSqlToken) =>
    pool.maybeOne(sql.type(accountWithCredentialsRow)`
      select ${accountColumns}, a.password_hash, a.token_version from accounts a
      where ${where}`);

  return {
    byId,

    byEmail: (email: string) => withCredentials(sql.fragment`lower(a.email) = lower(${email})`),

    /** The account with its credentials. */
    credentials: (id: number) => withCredentials(sql.fragment`a.id = ${id}`),

    /**
     * The account of a user session token; records the use, at most once an hour. Null when there is
     * none, or when `version` is no longer the account's token version; a null version is not checked.
     */
    byToken: (id: number, version: number | null) => {
      const isValid = sql.fragment`
        id = ${id} and (${version}::integer is null or token_version = ${version})`;
      return pool.maybeOne(sql.type(accountRow)`
        with noted as (
          update accounts set last_used_at = now() where id in (
            select id from accounts
            where ${isValid} and coalesce(last_used_at < now() - interval '1 hour', true)
            for no key update skip locked))
        select ${accountColumns} from accounts a where ${isValid}`);
    },

    /**
     * Replaces the password's hash, or leaves it where `passwordHash` is undefined, and raises the
     * token version, which revokes all earlier tokens. Returns the new version; null when there is no
     * such account.
     */
    revokeTokens: async (id: number, passwordHash?: string) => {
      const hash = sql.fragment`${passwordHash ?? null}::text`;
      const changed = await pool.maybeOne(sql.type(versionRow)`
        with changed as (
          update accounts set token_version = token_version + 1,
            password_hash = coalesce(${hash}, password_hash)
          where id = ${id} returning token_version),
        unused_links as (
          delete from mail_tokens
          where account_id = ${id} and purpose = 'reset_password' and ${hash} is not null)
        select token_version from changed`);
      return changed?.token_version ?? null;
    },

    list: () =>
      pool.any(sql.type(accountRow)`select ${accountColumns} from accounts a order by a.id`),

    /** Throws `Conflict` when the e-mail address is taken. */
    create: async (fields: NewAccount) => {
      const { email, plan, credits, password_hash = null, verification_credits } = fields;
      try {
        return await pool.transaction(async (transaction) => {
          const account = await transaction.one(sql.type(accountRow)`
            insert into accounts as a (email, plan, credits, password_hash, verification_credits)
            values (${email}, ${plan}, ${credits}, ${password_hash}, ${verification_credits ?? 0})
            returning ${accountColumns}`);
          const opening = { amount: credits, reason: "opening_balance" } as const;
          await recordEntry(transaction, account.id, opening, account);
          if (verification_credits !== undefined) {
            const data = { purpose: "verify_email", account_id: account.id } as const;
            const group = `account ${account.id}`;
            await requestJob(transaction, "send_mail", { data, group });
          }
          return account;
        });
      } catch (error) {
        throw toConflict(error, email);
      }
    },

    /** Whether any account lists the origin in its `return_origins`. */
    isReturnOrigin: async (origin: string) => {
      const { found } = await pool.one(sql.type(foundRow)`
        select exists (
          select from accounts where return_origins @> ${sql.array([origin], "text")}
        ) as found`);
      return found;
    },

    /**
     * Changes an account, and records what an operator changes of it. Freezing ends its jobs; another
     * role revokes its tokens. Returns null when there is no such account.
     */
    update: (id: number, fields: AccountChanges, by: Responsible = {}) => {
      const changes = assignments(fields);
      if (changes.length === 0) return byId(id);
      return pool.transaction(async (transaction) => {
        const before = await transaction.maybeOne(sql.type(accountRow)`
          select ${accountColumns} from accounts a where a.id = ${id} for update`);
        if (!before) return null;
        const account = await transaction.one(sql.type(accountRow)`
          update accounts a set ${sql.join(changes, sql.fragment`, `)} where a.id = ${id}
          returning ${accountColumns}`);
        const amount = account.credits - before.credits;
        const change = { amount, reason: "set_by_the_operator" } as const;
        await recordEntry(transaction, id, change, account);
        for (const action of actionsBetween(before, account)) {
          await recordAction(transaction, id, action, by);
        }
        if (account.frozen && !before.frozen) await endJobsOf(transaction, id, retention);
        return account;
      });
    },

    /**
     * Adds credits, or removes them where `amount` is negative, and records it. Returns null when there
     * is no such account. Throws `Conflict` where the balance would fall below zero.
     */
    adjustCredits: (id: number, amount: number, by: Responsible = {}) =>
      pool.transaction(async (transaction) => {
        const before = await transaction.maybeOne(sql.type(accountRow)`
          select ${accountColumns} from accounts a where a.id = ${id} for update`);
        if (!before) return null;
        if (before.credits + amount < 0) {
          throw new Conflict(`account ${id} has ${before.credits} credits, fewer than ${-amount}`);
        }
        const account = await transaction.one(sql.type(accountRow)`
          update accounts a set credits = credits + ${amount} where a.id = ${id}
          returning ${accountColumns}`);
        const { note } = by;
        const change = { amount, reason: "adjusted_by_the_operator", note } as const;
        await recordEntry(transaction, id, change, account);
        for (const action of actionsBetween(before, account)) {
          await recordAction(transaction, id, action, by);
        }
        return account;
      }),

    /**
     * Deletes an account with all its data, and requests mail to its owner with `tellsOwner`. False when
     * there is no such account.
     */
    delete: (id: number, tellsOwner = false) => deleteAccount(pool, id, tellsOwner),

    /** What the account holds of each stored quota, from counters. */
    usage: async (id: number) => {
      const { plan: _, ...usage } = await readUsage(pool, id);
      return usage;
    },
  };
}
