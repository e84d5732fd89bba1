/** What operators did to accounts. */
import { sql } from "slonik";
import Type from "typebox";
import { Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { type PageRequest, page } from "./page.ts";

export const OPERATOR_ACTIONS = [
  "account_frozen",
  "account_unfrozen",
  "plan_changed",
  "credits_changed",
  "role_changed",
] as const;

const actionRow = row({
  id: Type.Integer(),
  action: Type.Enum(OPERATOR_ACTIONS),
  /** The account that it was done to. */
  account_id: Type.Integer(),
  /** Null: the account was deleted since. */
  email: Nullable(Type.String()),
  /** The account of the operator; null: the command line. */
  operator_id: Nullable(Type.Integer()),
  /** Null: the command line, or the account was deleted since. */
  operator_email: Nullable(Type.String()),
  /** What changed, by name: from what, to what. */
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()])),
  /** Why, in the operator's words. */
  note: Nullable(Type.String()),
  created_at: Timestamp,
});
export type OperatorAction = RowOf<typeof actionRow>;

/** Who changes an account, and why. */
export interface Responsible {
  /** The operator's account; left out: the command line. */
  readonly operatorId?: number;
  readonly note?: string | undefined;
}

/** Records an action in the transaction of the change itself. */
export async function recordAction(
  transaction: Connection,
  accountId: number,
  { action, details }: Pick<OperatorAction, "action" | "details">,
  { operatorId, note }: Responsible,
): Promise<void> {
  await transaction.query(sql.unsafe`
    insert into operator_actions (action, subject, operator, details, note)
    values (${action}, ${accountId}, ${operatorId ?? null}, ${JSON.stringify(details)}::jsonb,
      ${note ?? null})`);
}

export function operatorActionQueries(pool: Connection) {
  return {
    /** Actions, newest first: those on an account, or all of them. */
    list: async (accountId: number | null, { before = null, limit }: PageRequest) =>
      page(
        await pool.any(sql.type(actionRow)`
          select o.id, o.action, o.subject as account_id, s.email, o.operator as operator_id,
            a.email as operator_email, o.details, o.note, o.created_at
          from operator_actions o
          left join accounts s on s.id = o.subject
          left join accounts a on a.id = o.operator
          where (${accountId}::bigint is null or o.subject = ${accountId})
            and (${before}::bigint is null or o.id < ${before})
          order by o.id desc limit ${limit + 1}`),
        limit,
      ),
  };
}
