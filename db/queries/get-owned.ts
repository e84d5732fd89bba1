/** Reads single rows of accounts by their ids. */
import { type FragmentSqlToken, type QuerySqlToken, sql } from "slonik";
import { batchQueries } from "../connection/batch-queries.ts";
import type { RowSchema } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";

interface OwnedRow {
  readonly id: number;
  readonly account_id: number;
}

/**
 * Makes a function that returns the account's row with an id, or null; for a guest, only rows made in
 * the handoff. Concurrent calls share one query.
 * @param select selects the rows that match `where`
 */
export function getOwned<Row extends OwnedRow>(
  pool: Connection,
  handoffId: number | null,
  select: (where: FragmentSqlToken) => QuerySqlToken<RowSchema<Row>>,
) {
  interface Key {
    readonly accountId: number;
    readonly id: number;
  }
  const get = batchQueries(async (keys: readonly Key[]): Promise<readonly (Row | null)[]> => {
    const rows = keys.map(({ accountId, id }) => [accountId, id]);
    const found: readonly Row[] = await pool.any(
      select(sql.fragment`
        (account_id, id) in (select * from ${sql.unnest(rows, ["int8", "int8"])})
        and (${handoffId}::bigint is null or handoff_id = ${handoffId})`),
    );
    const byId = new Map(found.map((one) => [one.id, one]));
    return keys.map(({ accountId, id }) => {
      const one = byId.get(id);
      return one?.account_id === accountId ? one : null;
    });
  });
  return (accountId: number, id: number) => get({ accountId, id });
}
