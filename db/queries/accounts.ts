/** Accounts. */
import { sql, UniqueIntegrityConstraintViolationError } from "slonik";
import Type, { type Static } from "typebox";
import type { Connection } from "../connection.ts";
import { Conflict, type Database } from "../door.ts";
import { Instant, Nullable, row } from "../row.ts";
import { recordEntry } from "./credits.ts";

const PlanColumn = Type.Union([
  Type.Literal("starter"),
  Type.Literal("pro"),
  Type.Literal("agency"),
  Type.Literal("trial"),
]);

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
});

const accountRow = row(AccountRow);
const accountRowWithHash = row(
  Type.Object({ ...AccountRow.properties, password_hash: Nullable(Type.String()) }),
);
const usageRow = row(
  Type.Object({ sources: Type.Integer(), patterns: Type.Integer(), api_keys: Type.Integer() }),
);
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

  return {
    byId,

    byEmail: (email) =>
      pool.maybeOne(
        sql.type(accountRowWithHash)`
          select ${accountColumns("a")}, a.password_hash from accounts a
          where lower(a.email) = lower(${email})`,
      ),

    list: () =>
      pool.any(sql.type(accountRow)`select ${accountColumns("a")} from accounts a order by a.id`),

    create: async ({ email, plan, credits, password_hash = null }) => {
      try {
        return await pool.transaction(async (transaction) => {
          const account = await transaction.one(sql.type(accountRow)`
            insert into accounts as a (email, plan, credits, password_hash)
            values (${email}, ${plan}, ${credits}, ${password_hash})
            returning ${accountColumns("a")}`);
          const opening = { amount: credits, reason: "opening_balance" } as const;
          await recordEntry(transaction, account.id, opening, account);
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

    usage: (id) =>
      pool.one(sql.type(usageRow)`
        select
          (select count(*) from sources where account_id = ${id}) as sources,
          (select count(*) from patterns where account_id = ${id}) as patterns,
          (select count(*) from api_keys where account_id = ${id} and revoked_at is null) as api_keys`),
  };
}
