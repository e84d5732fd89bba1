import { SchemaValidationError, sql } from "slonik";
import t from "tap";
import Type from "typebox";
import { openPool } from "../../db/connection/pool.ts";
import { Nullable, row, Timestamp } from "../../db/connection/row.ts";
import { testDatabaseUrl } from "../helpers/database.ts";

const pool = await openPool(await testDatabaseUrl());
t.teardown(() => pool.end());

const thing = row({ id: Type.Integer(), at: Timestamp, note: Nullable(Type.String()) });

t.test("parses a valid row to numbers, dates and nulls", async (t) => {
  const found = await pool.one(sql.type(thing)`
    select 9007199254740991::bigint as id, timestamptz '2026-01-02 03:04:05.678+02' as at, null as note`);
  t.same(found, {
    id: Number.MAX_SAFE_INTEGER,
    at: new Date("2026-01-02T01:04:05.678Z"),
    note: null,
  });
});

t.test("rejects an invalid row with the paths of its issues", async (t) => {
  const query = pool.one(sql.type(thing)`select 1.5::float8 as id, 'today' as at, 'x' as note`);
  const error = await query.catch((thrown: Error) => thrown);
  t.ok(error instanceof SchemaValidationError);
  const places = (error as SchemaValidationError).issues.flatMap(({ path }) => path ?? []);
  t.same([...new Set(places)].sort(), ["at", "id"]);
});
