/**
 * A session of its own for the statement that every request makes. It is prepared once: to plan it anew
 * takes PostgreSQL longer than to run it, and slonik, for its part, cannot name a statement.
 */
import pg from "pg";
import { BackendTerminatedUnexpectedlyError } from "slonik";
import { lastingSession } from "./lasting-session.ts";
import { checkRow, type RowSchema } from "./row.ts";

/** A statement whose text never changes. */
export interface Statement<Row> {
  /** Its name in the session. */
  readonly name: string;
  readonly sql: string;
  readonly row: RowSchema<Row>;
}

export interface PreparedStatementClient {
  /**
   * Runs a statement after those that were asked for before. Throws `ConnectionError` where the
   * database cannot be reached, `BackendTerminatedUnexpectedlyError` where it goes away meanwhile,
   * `SchemaValidationError` for rows of another shape, and what the driver throws.
   */
  run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/**
 * Plans are made once, for whatever values, perhaps while tables are small and nothing is known of
 * them. What is asked here is found by indexes, and has to be so when they have grown.
 */
const SETTINGS =
  "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off";

/** As the pool has them. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (value) => new Date(value));

/** A session that is opened when it is first needed, and anew after it was lost. */
export function preparedStatementClient(url: string): PreparedStatementClient {
  const session = lastingSession(url, (client) => client.query(SETTINGS));
  return {
    async run<Row>({ name, sql, row }: Statement<Row>, values: readonly unknown[]) {
      const mine = session.get();
      const { client } = await mine;
      const query = { name, text: sql, values: [...values], types };
      const { rows } = await client.query(query).catch((error) => {
        // What PostgreSQL says of a statement; the rest is the end of the session.
        if (error instanceof pg.DatabaseError && error.severity === "ERROR") throw error;
        session.drop(mine);
        throw new BackendTerminatedUnexpectedlyError(error);
      });
      for (const found of rows) checkRow({ sql, values: [] }, row, found);
      return rows;
    },
    close: session.close,
  };
}
