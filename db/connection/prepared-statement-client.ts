/**
 * A session of its own for prepared statements, used by every request: planning them each time would
 * take PostgreSQL longer than running them, and slonik cannot name a statement.
 */
import pg from "pg";
import { BackendTerminatedUnexpectedlyError } from "slonik";
import { failQuerySpan, startQuerySpan } from "./query-spans.ts";
import { reconnectingSession } from "./reconnecting-session.ts";
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
   * Runs a statement after those of earlier calls. Throws `ConnectionError` where the database cannot
   * be reached, `BackendTerminatedUnexpectedlyError` where the session is lost meanwhile,
   * `SchemaValidationError` for rows that do not match the schema, and what the driver throws.
   */
  run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** Plans are made once, perhaps while tables are small, and must use the indexes when they have grown. */
const SETTINGS =
  "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off";

/** As in the pool. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (value) => new Date(value));

/** A client whose session is opened on first use, and again after it was lost. */
export function preparedStatementClient(url: string): PreparedStatementClient {
  const session = reconnectingSession(url, (client) => client.query(SETTINGS));
  return {
    async run<Row>({ name, sql, row }: Statement<Row>, values: readonly unknown[]) {
      const mine = session.get();
      const { client } = await mine;
      const query = { name, text: sql, values: [...values], types };
      // Within the span of the first request of a batch.
      const span = startQuerySpan(sql);
      const { rows } = await client.query(query).catch((error) => {
        failQuerySpan(span, error);
        // An error of the statement; any other is the end of the session.
        if (error instanceof pg.DatabaseError && error.severity === "ERROR") throw error;
        session.drop(mine);
        throw new BackendTerminatedUnexpectedlyError(error);
      });
      span?.end();
      for (const found of rows) checkRow({ sql, values: [] }, row, found);
      return rows;
    },
    close: session.close,
  };
}
