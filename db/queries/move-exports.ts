/** Moves files of exports between the database and the object store. */
import { createHash } from "node:crypto";
import { sql } from "slonik";
import Type from "typebox";
import { binary } from "../connection/binary.ts";
import { Bytes, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Mover } from "./mover.ts";
import {
  CHUNKS_AT_ONCE,
  corruptedExport,
  readChunks,
  storeFile,
  verifiedChunk,
} from "./object-chunks.ts";
import type { StoredObjects } from "./stored-objects.ts";

const chunkRow = row({ content: Bytes, sha256: Bytes });
const hashRow = row({ number: Type.Integer(), sha256: Bytes });
const keyRow = row({ object_key: Type.String() });

const hasContent = sql.fragment`exists (
  select from export_chunks where export_id = exports.id and content is not null)`;

export function exportMover(pool: Connection, objects: StoredObjects): Mover {
  /** The chunks of a file, of which nothing is in the store. Throws `CorruptedContent`. */
  async function* readStored(id: number, chunks: number, sha256: string) {
    const whole = createHash("sha256");
    for (let number = 0; number < chunks; number++) {
      const chunk = await pool.maybeOne(sql.type(chunkRow)`
        select content, sha256 from export_chunks
        where export_id = ${id} and number = ${number} and content is not null`);
      if (!chunk) throw corruptedExport(id);
      whole.update(chunk.content);
      yield verifiedChunk(chunk.content, chunk.sha256, id);
    }
    if (whole.digest("hex") !== sha256) throw corruptedExport(id);
  }

  /**
   * Deletes the chunks that an interrupted move to the database has written beside an object. Returns whether
   * there were any.
   */
  const clearChunks = (id: number) =>
    pool.transaction(async (transaction) => {
      // No move to the database may end meanwhile.
      await transaction.query(sql.unsafe`select from exports where id = ${id} for update`);
      const { rowCount } = await transaction.query(sql.unsafe`
        update export_chunks set content = null
        where export_id = ${id} and content is not null
          and exists (select from exports where id = ${id} and object_key is not null)`);
      return rowCount > 0;
    });

  const exists = (id: number) =>
    pool.exists(sql.unsafe`select from exports where id = ${id} and status = 'done'`);

  return {
    kind: "exports",
    name: (id) => `export ${id}`,
    key: sql.fragment`exports.id`,
    keyOf: (id) => sql.fragment`${id ?? "0"}::bigint`,
    rows: {
      s3: sql.fragment`select id::text as id, sha256 from exports
        where status = 'done' and (object_key is null or ${hasContent})`,
      database: sql.fragment`select id::text as id, sha256 from exports
        where status = 'done' and object_key is not null`,
    },

    async toStore({ id: text, sha256 }, signal) {
      const id = Number(text);
      if (await clearChunks(id)) return true;
      const rows = await pool.any(sql.type(hashRow)`
        select number, sha256 from export_chunks where export_id = ${id} order by number`);
      const hashes = rows.map((chunk) => chunk.sha256);
      try {
        const stored = readStored(id, hashes.length, sha256);
        const key = await storeFile(objects, sha256, stored, hashes, id, signal);
        const isMoved = await pool.transaction(async (transaction) => {
          const { rowCount } = await transaction.query(sql.unsafe`
            update exports set object_key = ${key}
            where id = ${id} and status = 'done' and object_key is null`);
          if (rowCount === 0) return false;
          await transaction.query(sql.unsafe`
            update export_chunks set content = null where export_id = ${id}`);
          return true;
        });
        if (!isMoved) await objects.discard(key);
        return isMoved;
      } catch (error) {
        // Its bytes are gone with it.
        if (!(await exists(id))) return false;
        throw error;
      }
    },

    async toDatabase({ id: text }, signal) {
      const id = Number(text);
      const found = await pool.maybeOne(sql.type(keyRow)`
        select object_key from exports where id = ${id} and object_key is not null`);
      if (!found) return false;
      const key = found.object_key;
      for (;;) {
        signal.throwIfAborted();
        // Those that an interrupted move has written are not read again.
        const missing = await pool.any(sql.type(hashRow)`
          select number, sha256 from export_chunks
          where export_id = ${id} and content is null order by number limit ${CHUNKS_AT_ONCE}`);
        const [first] = missing;
        if (!first) break;
        const run = missing.filter(({ number }, index) => number === first.number + index);
        const hashes = run.map(({ sha256 }) => sha256);
        const chunks = await readChunks(objects, key, first.number, hashes, id);
        if (!chunks) throw corruptedExport(id);
        for (const [index, chunk] of chunks.entries()) {
          await pool.query(sql.unsafe`
            update export_chunks set content = ${binary(chunk)}
            where export_id = ${id} and number = ${first.number + index} and content is null
              and exists (select from exports where id = ${id} and object_key = ${key})`);
        }
      }
      return pool.transaction(async (transaction) => {
        // With this lock no other move can clear the chunks.
        await transaction.query(sql.unsafe`select from exports where id = ${id} for update`);
        const { rowCount } = await transaction.query(sql.unsafe`
          update exports set object_key = null where id = ${id} and object_key = ${key}
            and not exists (
              select from export_chunks where export_id = ${id} and content is null)`);
        return rowCount > 0;
      });
    },
  };
}
