/** Secrets that all nodes share. */
import { randomBytes } from "node:crypto";
import { sql } from "slonik";
import { Bytes, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";

const BYTES = 32;

const secretRow = row({ value: Bytes });

export function secretQueries(pool: Connection) {
  return {
    /** 32 random bytes by this name: the same on every node, made on first use. */
    get: async (name: string) => {
      await pool.query(sql.unsafe`
        insert into secrets (name, value) values (${name}, ${sql.binary(randomBytes(BYTES))})
        on conflict (name) do nothing`);
      const { value } = await pool.one(sql.type(secretRow)`
        select value from secrets where name = ${name}`);
      return value;
    },
  };
}
