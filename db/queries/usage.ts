/** Quotas: what accounts hold, and whether they may hold more. */
import { sql } from "slonik";
import Type from "typebox";
import { row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { PLANS, QuotaExceeded, type Quotas, STORED_QUOTAS, type Usage } from "../quotas.ts";

/** A column of `accounts.plan`. */
export const PlanColumn = Type.Enum(PLANS);

const usageRow = row({
  plan: PlanColumn,
  sources: Type.Integer(),
  source_bytes: Type.Integer(),
  patterns: Type.Integer(),
  api_keys: Type.Integer(),
  output_bytes: Type.Integer(),
  pinned_renders: Type.Integer(),
  batch_items: Type.Integer(),
  open_batches: Type.Integer(),
});

/** The plan of an account and what it holds. */
export function readUsage(connection: Connection, accountId: number) {
  return connection.one(sql.type(usageRow)`
    select a.plan, u.sources, u.source_bytes, u.patterns, u.api_keys, u.output_bytes,
      u.pinned_renders, u.batch_items, u.open_batches
    from account_usage u join accounts a on a.id = u.account_id where a.id = ${accountId}`);
}

/**
 * Checks that an account may hold `added` in addition. Throws `QuotaExceeded`.
 *
 * With `isCounted` the transaction has inserted it already. Triggers lock the counters' row until the
 * transaction ends, so that concurrent transactions see each other and none passes the limit.
 */
export async function checkQuotas(
  connection: Connection,
  quotas: Quotas,
  accountId: number,
  added: Partial<Usage>,
  isCounted: boolean,
): Promise<void> {
  const { plan, ...usage } = await readUsage(connection, accountId);
  for (const quota of STORED_QUOTAS) {
    const wanted = added[quota] ?? 0;
    const used = usage[quota] - (isCounted ? wanted : 0);
    const limit = quotas[plan][quota];
    if (wanted > 0 && used + wanted > limit)
      throw new QuotaExceeded(quota, { limit, used, wanted });
  }
}
