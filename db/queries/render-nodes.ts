/** Nodes that render for others. */
import { sql } from "slonik";
import Type from "typebox";
import { columnsOf, type RowOf, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";

/** A node that was not seen for so long is gone. */
const GONE_SECONDS = 10;

const nodeRow = row({
  /** A UUID. */
  id: Type.String(),
  url: Type.String(),
  engine: Type.String(),
  threads: Type.Integer(),
});

export type RenderNodeRow = RowOf<typeof nodeRow>;

const goneBefore = sql.fragment`now() - ${`${GONE_SECONDS} s`}::interval`;

export function renderNodeQueries(pool: Connection) {
  return {
    /** Joins as a node or renews it, by the database's clock; forgets those that are gone. */
    async beat({ id, url, engine, threads }: RenderNodeRow) {
      await pool.query(sql.unsafe`
        insert into render_nodes (id, url, engine, threads, seen_at)
        values (${id}, ${url}, ${engine}, ${threads}, now())
        on conflict (id) do update set seen_at = now()`);
      await pool.query(sql.unsafe`delete from render_nodes where seen_at < ${goneBefore}`);
    },
    /** The nodes that were seen lately. */
    list: () =>
      pool.any(sql.type(nodeRow)`
        select ${columnsOf(nodeRow)} from render_nodes where seen_at >= ${goneBefore} order by id`),
    async leave(id: string) {
      await pool.query(sql.unsafe`delete from render_nodes where id = ${id}`);
    },
  };
}
