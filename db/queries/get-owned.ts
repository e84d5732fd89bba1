/** Single things of accounts, found by their ids. */
import { type QuerySqlToken, sql } from "slonik";
import { batched } from "../connection/batch-queries.ts";
import type { RowSchema } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";

interface Asked {
  readonly accountId: number;
  readonly id: number;
}

interface Owned {
  readonly id: number;
  readonly account_id: number;
}

/**
 * Makes a function that finds the account's thing with an id, or null; for a guest only what was made
 * in the handoff. Those who ask at the same time are answered by one query.
 * @param select selects the columns of all things, of which `where` picks some
 */
export function getOwned<Row extends Owned>(
  pool: Connection,
  handoffId: number | null,
  select: (where: ReturnType<typeof sql.fragment>) => QuerySqlToken<RowSchema<Row>>,
) {
  const get = batched(async (asked: readonly Asked[]): Promise<readonly (Row | null)[]> => {
    const rows = asked.map(({ accountId, id }) => [accountId, id]);
    const found: readonly Row[] = await pool.any(
      select(sql.fragment`
        (account_id, id) in (select * from ${sql.unnest(rows, ["int8", "int8"])})
        and (${handoffId}::bigint is null or handoff_id = ${handoffId})`),
    );
    const byId = new Map(found.map((one) => [one.id, one]));
    return asked.map(({ accountId, id }) => {
      const one = byId.get(id);
      return one?.account_id === accountId ? one : null;
    });
  });
  return (accountId: number, id: number) => get({ accountId, id });
}
