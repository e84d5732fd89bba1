/** Files of exports: chunks in the database, or an object with the hashes of its chunks. */
import { createHash } from "node:crypto";
import { sql } from "slonik";
import Type from "typebox";
import { binary } from "../connection/binary.ts";
import { CHUNK_BYTES } from "../connection/chunks.ts";
import { Bytes, idRow, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { Superseded } from "../errors.ts";
import type { DownloadHeaders } from "../object-store.ts";
import { checkRun, type ExportFileWriter, type ExportRun, isRunning } from "./export-runs.ts";
import {
  CHUNKS_AT_ONCE,
  corruptedExport,
  HASH_BYTES,
  readChunks,
  sha256Of,
  verifiedChunk,
} from "./object-chunks.ts";
import { stageFile } from "./staged-file.ts";
import type { StoredObjects } from "./stored-objects.ts";

const writtenRow = row({ content: Bytes, sha256: Bytes });
const chunkRow = row({
  content: Nullable(Bytes),
  sha256: Bytes,
  object_key: Nullable(Type.String()),
});
const hashRow = row({ sha256: Bytes });
const keyRow = row({ object_key: Nullable(Type.String()) });

export function exportFileQueries(pool: Connection, objects: StoredObjects) {
  const readWrittenChunk = async (run: ExportRun, number: number) => {
    const chunk = await pool.maybeOne(sql.type(writtenRow)`
      select content, sha256 from export_chunks
      where export_id = (select id from exports where ${isRunning(run)}) and number = ${number}`);
    return chunk && verifiedChunk(chunk.content, chunk.sha256, run.id);
  };

  const findChunk = (id: number, number: number) =>
    pool.maybeOne(sql.type(chunkRow)`
      select content, c.sha256, object_key
      from export_chunks c join exports e on e.id = export_id and status = 'done'
      where export_id = ${id} and number = ${number}`);

  const findHashes = async (id: number, first: number, last: number) => {
    const found = await pool.any(sql.type(hashRow)`
      select sha256 from export_chunks
      where export_id = ${id} and number between ${first} and ${last} order by number`);
    return found.map(({ sha256 }) => sha256);
  };

  /** Verified chunks `first` to `last` of the file of an export that is done. Throws `CorruptedContent`. */
  async function* chunks(id: number, first: number, last: number) {
    let missing: string | null = null;
    for (let number = first; number <= last; ) {
      const found = await findChunk(id, number);
      if (found === null) throw new Error(`export ${id} is gone`);
      const { content, sha256, object_key } = found;
      if (content !== null) {
        yield verifiedChunk(content, sha256, id);
        number++;
        continue;
      }
      if (object_key === null || object_key === missing) throw corruptedExport(id);
      const until = Math.min(last, number + CHUNKS_AT_ONCE - 1);
      const hashes = await findHashes(id, number, until);
      const read = await readChunks(objects, object_key, number, hashes, id);
      // The file may have been moved meanwhile.
      if (read === null) missing = object_key;
      else {
        yield* read;
        number += read.length;
      }
    }
  }

  const write = async (run: ExportRun, number: number, content: Uint8Array) => {
    const found = await pool.maybeOne(sql.type(idRow)`
      insert into export_chunks (export_id, number, content, sha256)
      select id, ${number}, ${binary(content)}, ${binary(sha256Of(content))} from exports
      where ${isRunning(run)} for share
      returning export_id as id`);
    checkRun(found, run);
  };

  const overwrite = async (run: ExportRun, at: number, content: Uint8Array) => {
    const first = await readWrittenChunk(run, 0);
    checkRun(first, run);
    const changed = Buffer.from(first ?? []);
    changed.set(content, at);
    const found = await pool.maybeOne(sql.type(idRow)`
      update export_chunks
      set content = ${binary(changed)}, sha256 = ${binary(sha256Of(changed))}
      where number = 0 and export_id = (select id from exports where ${isRunning(run)})
      returning export_id as id`);
    checkRun(found, run);
  };

  const databaseFile = (run: ExportRun): ExportFileWriter => {
    let number = 0;
    return {
      write: (chunk) => write(run, number++, chunk),
      overwrite: (at, content) => overwrite(run, at, content),
      async finish() {
        const whole = createHash("sha256");
        let bytes = 0;
        for (let index = 0; index < number; index++) {
          const chunk = await readWrittenChunk(run, index);
          if (chunk === null) throw new Superseded(`export ${run.id} lost its piece ${index}`);
          whole.update(chunk);
          bytes += chunk.byteLength;
        }
        return { bytes, sha256: whole.digest("hex") };
      },
      // The next run deletes its chunks.
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  };

  return {
    /** Bytes `start` to `end` of the file of an export that is done, inclusive. Throws `CorruptedContent`. */
    async *read(id: number, start: number, end: number) {
      let number = Math.floor(start / CHUNK_BYTES);
      for await (const chunk of chunks(id, number, Math.floor(end / CHUNK_BYTES))) {
        const at = number++ * CHUNK_BYTES;
        yield chunk.subarray(Math.max(0, start - at), end + 1 - at);
      }
    },

    /** A URL of the object store by which anyone downloads the file; null where it is in the database. */
    presign: async (id: number, headers: DownloadHeaders) => {
      const found = await pool.maybeOne(sql.type(keyRow)`
        select object_key from exports where id = ${id} and status = 'done'`);
      return found?.object_key ? objects.presign(found.object_key, headers) : null;
    },

    /**
     * Begins the file of a run, where new bytes can be stored. Throws `ObjectStoreUnavailable` and the reason of `signal`;
     * the file's functions throw `ObjectStoreUnavailable`, `Superseded` and `CorruptedContent`.
     */
    openFile: async (run: ExportRun, signal?: AbortSignal): Promise<ExportFileWriter> => {
      if (!objects.writable) return databaseFile(run);
      await objects.checkWritable("exports", signal);
      return stageFile(run, objects, objects.writable);
    },
  };
}
/** Stores the hashes of a file's chunks, of which the object store has the content. */
export async function insertChunkHashes(
  transaction: Connection,
  id: number,
  chunkHashes: readonly Uint8Array[],
): Promise<void> {
  const hashes = Buffer.concat(chunkHashes);
  await transaction.query(sql.unsafe`
    insert into export_chunks (export_id, number, sha256)
    select ${id}, number, substring(hashes from ${HASH_BYTES} * number + 1 for ${HASH_BYTES})
    from (select ${binary(hashes)}::bytea as hashes) as given,
      generate_series(0, ${chunkHashes.length - 1}) as number`);
}
