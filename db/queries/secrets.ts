/** Secrets that all nodes share. */
import { randomBytes } from "node:crypto";
import { sql } from "slonik";
import Type from "typebox";
import { Bytes, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Database } from "../types/index.ts";

const BYTES = 32;

const secretRow = row(Type.Object({ value: Bytes }));

/** The queries about secrets; their contract is the door's. */
export function secretQueries(pool: Connection): Database["secrets"] {
  return {
    get: async (name) => {
      await pool.query(sql.unsafe`
        insert into secrets (name, value) values (${name}, ${sql.binary(randomBytes(BYTES))})
        on conflict (name) do nothing`);
      const { value } = await pool.one(sql.type(secretRow)`
        select value from secrets where name = ${name}`);
      return value;
    },
  };
}
