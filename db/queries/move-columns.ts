/** Moves pictures, whose bytes are in one column, between the database and the object store. */
import { type FragmentSqlToken, sql } from "slonik";
import Type from "typebox";
import { Bytes, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { CorruptedContent } from "../errors.ts";
import type { Mover } from "./mover.ts";
import { upload } from "./stored-bytes.ts";
import { type StoredObjects, sha256Hex } from "./stored-objects.ts";

/** A table with a column of bytes beside `object_key`. */
interface ByteColumn {
  readonly kind: "sources" | "mockups";
  readonly table: FragmentSqlToken;
  readonly column: FragmentSqlToken;
  /** What else changes when the column is emptied. */
  readonly alsoSet: FragmentSqlToken;
  /** As text. */
  readonly id: FragmentSqlToken;
  /** In hex. */
  readonly sha256: FragmentSqlToken;
  readonly key: FragmentSqlToken;
  keyOf: Mover["keyOf"];
  name(id: string): string;
}

const SOURCES: ByteColumn = {
  kind: "sources",
  table: sql.fragment`source_bytes`,
  column: sql.fragment`bytes`,
  alsoSet: sql.fragment``,
  id: sql.fragment`encode(sha256, 'hex')`,
  sha256: sql.fragment`encode(sha256, 'hex')`,
  key: sql.fragment`source_bytes.sha256`,
  keyOf: (id) => sql.fragment`decode(${id ?? ""}, 'hex')`,
  name: (id) => `the picture ${id}`,
};

const MOCKUPS: ByteColumn = {
  kind: "mockups",
  table: sql.fragment`mockups`,
  column: sql.fragment`image`,
  alsoSet: sql.fragment`, image_bytes = coalesce(image_bytes, octet_length(image))`,
  id: sql.fragment`id::text`,
  sha256: sql.fragment`sha256`,
  key: sql.fragment`mockups.id`,
  keyOf: (id) => sql.fragment`${id ?? "0"}::bigint`,
  name: (id) => `mockup ${id}`,
};

const bytesRow = row({ bytes: Bytes });
const keyRow = row({ object_key: Type.String() });

export const columnMovers = (pool: Connection, objects: StoredObjects): readonly Mover[] =>
  [SOURCES, MOCKUPS].map((place) => columnMover(pool, objects, place));

function columnMover(pool: Connection, objects: StoredObjects, place: ByteColumn): Mover {
  const { kind, table, column, alsoSet, id, sha256, key: rowKey, keyOf, name } = place;
  const is = (row: string) => sql.fragment`${rowKey} = ${keyOf(row)}`;
  const damaged = (row: string) =>
    new CorruptedContent(name(row), { remedy: "it stays where it is" });
  return {
    kind,
    name,
    key: rowKey,
    keyOf,
    rows: {
      s3: sql.fragment`select ${id} as id, ${sha256} as sha256 from ${table}
        where ${column} is not null`,
      database: sql.fragment`select ${id} as id, ${sha256} as sha256 from ${table}
        where object_key is not null`,
    },

    async toStore(item) {
      const found = await pool.maybeOne(sql.type(bytesRow)`
        select ${column} as bytes from ${table} where ${is(item.id)} and ${column} is not null`);
      if (!found) return false;
      if ((await sha256Hex(found.bytes)) !== item.sha256) throw damaged(item.id);
      const key = await objects.putVerified(kind, item.sha256, found.bytes);
      const { rowCount } = await pool.query(sql.unsafe`
        update ${table} set object_key = ${key}, ${column} = null${alsoSet}
        where ${is(item.id)} and ${column} is not null and ${sha256} = ${item.sha256}`);
      if (rowCount === 0) await objects.discard(key);
      return rowCount > 0;
    },

    async toDatabase(item) {
      const found = await pool.maybeOne(sql.type(keyRow)`
        select object_key from ${table} where ${is(item.id)} and object_key is not null`);
      if (!found) return false;
      const key = found.object_key;
      const about = [name(item.id), "it stays where it is"] as const;
      const bytes = await objects.getVerified(key, item.sha256, about);
      if (!bytes) throw damaged(item.id);
      return pool.transaction(async (transaction) => {
        let isMoved = false;
        await upload(transaction, bytes, async (uploaded) => {
          const { rowCount } = await transaction.query(sql.unsafe`
            update ${table} set object_key = null, ${column} = ${uploaded}
            where ${is(item.id)} and object_key = ${key}`);
          isMoved = rowCount > 0;
        });
        return isMoved;
      });
    },
  };
}
