/** The budget of a handoff: what its guest may create at the account's expense. */
import { sql } from "slonik";
import Type from "typebox";
import { row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { QuotaExceeded } from "../quotas.ts";

const budgetRow = row({
  max_patterns: Type.Integer(),
  creations: Type.Integer(),
  uploads: Type.Integer(),
});

/**
 * Checks that one more creation of this cost fits into the budget of a handoff. With `isCounted` it
 * counts the creation, which locks the handoff's row until the transaction ends: concurrent creations
 * see each other. Deleted ones stay counted. Does nothing without a handoff. Throws `QuotaExceeded`.
 */
export async function checkBudget(
  connection: Connection,
  handoffId: number | null,
  cost: number,
  isCounted: boolean,
): Promise<void> {
  if (handoffId === null) return;
  const [column, quota] =
    cost > 0
      ? (["creations", "handoff_creations"] as const)
      : (["uploads", "handoff_uploads"] as const);
  const name = sql.identifier([column]);
  const budget = await connection.one(
    isCounted
      ? sql.type(budgetRow)`
          update handoffs set ${name} = ${name} + 1 where id = ${handoffId}
          returning max_patterns, creations, uploads`
      : sql.type(budgetRow)`
          select max_patterns, creations, uploads from handoffs where id = ${handoffId}`,
  );
  const used = budget[column] - (isCounted ? 1 : 0);
  const limit = budget.max_patterns;
  if (used >= limit) throw new QuotaExceeded(quota, { limit, used, wanted: 1 });
}
