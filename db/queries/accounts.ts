/** Accounts. */
import { sql, UniqueIntegrityConstraintViolationError } from "slonik";
import Type, { type Static } from "typebox";
import { Instant, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { Conflict, type Database } from "../types/index.ts";
import { recordEntry } from "./credits.ts";
import { deleteAccount } from "./delete-account.ts";
import { requestJob } from "./outbox.ts";
import { PlanColumn, readUsage } from "./usage.ts";

/** An account as it is read; `accountColumns` selects it. */
export const AccountRow = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  plan: PlanColumn,
  credits: Type.Integer(),
  frozen: Type.Boolean(),
  low_credit_threshold: Type.Integer(),
  return_origins: Type.Array(Type.String()),
  created_at: Instant,
  email_verified_at: Nullable(Instant),
});

const accountRow = row(AccountRow);
const accountWithCredentialsRow = row(
  Type.Object({
    ...AccountRow.properties,
    password_hash: Nullable(Type.String()),
    token_version: Type.Integer(),
  }),
);
const versionRow = row(Type.Object({ token_version: Type.Integer() }));
const foundRow = row(Type.Object({ found: Type.Boolean() }));
const balanceRow = row(Type.Object({ credits: Type.Integer() }));

/** The columns of an account; `alias` is the table's name in the query. */
export function accountColumns(alias: string) {
  const names = Object.keys(AccountRow.properties);
  return sql.join(
    names.map((name) => sql.identifier([alias, name])),
    sql.fragment`, `,
  );
}

type Fields = Parameters<Database["accounts"]["update"]>[1];

/** `column = value` for each field that is given. */
function assignments(fields: Fields) {
  const { plan, credits, frozen, low_credit_threshold, return_origins } = fields;
  return [
    plan !== undefined && sql.fragment`plan = ${plan}`,
    credits !== undefined && sql.fragment`credits = ${credits}`,
    frozen !== undefined && sql.fragment`frozen = ${frozen}`,
    low_credit_threshold !== undefined &&
      sql.fragment`low_credit_threshold = ${low_credit_threshold}`,
    return_origins !== undefined &&
      sql.fragment`return_origins = ${sql.array([...return_origins], "text")}`,
  ].filter((assignment) => assignment !== false);
}

/** The queries about accounts; their contract is the door's. */
export function accountQueries(pool: Connection): Database["accounts"] {
  const byId = (id: number): Promise<Static<typeof AccountRow> | null> =>
    pool.maybeOne(
      sql.type(accountRow)`select ${accountColumns("a")} from accounts a where a.id = ${id}`,
    );

  const withCredentials = (where: ReturnType<typeof sql.fragment>) =>
    pool.maybeOne(sql.type(accountWithCredentialsRow)`
      select ${accountColumns("a")}, a.password_hash, a.token_version from accounts a
      where ${where}`);

  return {
    byId,

    byEmail: (email) => withCredentials(sql.fragment`lower(a.email) = lower(${email})`),

    credentials: (id) => withCredentials(sql.fragment`a.id = ${id}`),

    byToken: (id, version) =>
      pool.maybeOne(sql.type(accountRow)`
        select ${accountColumns("a")} from accounts a
        where a.id = ${id} and (${version}::integer is null or a.token_version = ${version})`),

    revokeTokens: async (id, passwordHash) => {
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
      pool.any(sql.type(accountRow)`select ${accountColumns("a")} from accounts a order by a.id`),

    create: async ({ email, plan, credits, password_hash = null, verification_credits }) => {
      try {
        return await pool.transaction(async (transaction) => {
          const account = await transaction.one(sql.type(accountRow)`
            insert into accounts as a (email, plan, credits, password_hash, verification_credits)
            values (${email}, ${plan}, ${credits}, ${password_hash}, ${verification_credits ?? 0})
            returning ${accountColumns("a")}`);
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
        if (error instanceof UniqueIntegrityConstraintViolationError) {
          throw new Conflict(`there is an account with the e-mail address ${email} already`, {
            cause: error,
          });
        }
        throw error;
      }
    },

    isReturnOrigin: async (origin) => {
      const { found } = await pool.one(sql.type(foundRow)`
        select exists (
          select from accounts where return_origins @> ${sql.array([origin], "text")}
        ) as found`);
      return found;
    },

    update: (id, fields) => {
      const changes = assignments(fields);
      if (changes.length === 0) return byId(id);
      return pool.transaction(async (transaction) => {
        const before = await transaction.maybeOne(
          sql.type(balanceRow)`select credits from accounts where id = ${id} for update`,
        );
        if (!before) return null;
        const account = await transaction.one(sql.type(accountRow)`
          update accounts a set ${sql.join(changes, sql.fragment`, `)} where a.id = ${id}
          returning ${accountColumns("a")}`);
        const amount = account.credits - before.credits;
        const change = { amount, reason: "set_by_the_operator" } as const;
        await recordEntry(transaction, id, change, account);
        return account;
      });
    },

    adjustCredits: (id, amount) =>
      pool.transaction(async (transaction) => {
        const before = await transaction.maybeOne(
          sql.type(balanceRow)`select credits from accounts where id = ${id} for update`,
        );
        if (!before) return null;
        if (before.credits + amount < 0) {
          throw new Conflict(`account ${id} has ${before.credits} credits, fewer than ${-amount}`);
        }
        const account = await transaction.one(sql.type(accountRow)`
          update accounts a set credits = credits + ${amount} where a.id = ${id}
          returning ${accountColumns("a")}`);
        const change = { amount, reason: "adjusted_by_the_operator" } as const;
        await recordEntry(transaction, id, change, account);
        return account;
      }),

    delete: (id) => deleteAccount(pool, id),

    usage: async (id) => {
      const { plan: _, ...usage } = await readUsage(pool, id);
      return usage;
    },
  };
}
