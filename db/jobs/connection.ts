/** Runs queries in a transaction of the job engine. */
import type { Db } from "pg-boss";
import type { DatabaseTransactionConnection, QueryResultRow, QuerySqlToken } from "slonik";
import { checkRow } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";

/** The OID of int8, which the engine's driver returns as text. */
const INT8 = 20;

/** The driver's result, of which the engine declares the rows only. */
type QueryResult = Awaited<ReturnType<Db["executeSql"]>> & {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
};

const numberOf = (text: unknown) => (text === null ? null : Number(text));

/** A connection on `transaction`. A nested `transaction` is no savepoint: its failure fails the job. */
export function jobConnection(transaction: Db): Connection {
  const run = async (query: QuerySqlToken) => {
    const text = query.sql.replaceAll("$slonik_", "$");
    const found = await transaction.executeSql(text, [...query.values]);
    const { rows, fields } = found as QueryResult;
    const int8 = fields.filter(({ dataTypeID }) => dataTypeID === INT8);
    return rows.map((row: QueryResultRow) => {
      const numbers = int8.map(({ name }) => [name, numberOf(row[name])]);
      return checkRow(query, query.parser, { ...row, ...Object.fromEntries(numbers) });
    });
  };
  const maybeOne = async (query: QuerySqlToken) => {
    const rows = await run(query);
    if (rows.length > 1) throw new Error(`expected one row at most, got ${rows.length}`);
    return rows[0] ?? null;
  };
  const connection = {
    any: run,
    query: run,
    maybeOne,
    exists: async (query: QuerySqlToken) => (await run(query)).length > 0,
    one: async (query: QuerySqlToken) => {
      const found = await maybeOne(query);
      if (found === null) throw new Error("expected a row, got none");
      return found;
    },
    transaction: <Result>(work: (nested: DatabaseTransactionConnection) => Promise<Result>) =>
      work(connection as unknown as DatabaseTransactionConnection),
  };
  return connection as unknown as Connection;
}
