import { CHUNK_BYTES, Conflict, type Export } from "../../db/index.ts";
import { NotReady } from "./errors.ts";
import type { Services } from "./services.ts";

/** A file that is there. */
export interface ExportFile {
  readonly mediaType: string;
  /** Bytes. */
  readonly length: number;
  /** In hex. */
  readonly sha256: string;
  /** Bytes `start` to `end`, both included. Throws when the export is deleted meanwhile. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** The file of an export. Throws NotReady before it is done, Conflict where it has failed. */
export function readExport({ db }: Services, made: Export): ExportFile {
  const { id, status, bytes, sha256, error, media_type: mediaType } = made;
  if (status === "failed") throw new Conflict(`export ${id} has failed: ${error}`);
  if (bytes === null || sha256 === null) throw new NotReady(`export ${id} is not done yet`);
  return {
    mediaType,
    length: bytes,
    sha256,
    async *read(start, end) {
      const first = Math.floor(start / CHUNK_BYTES);
      for (let number = first; number * CHUNK_BYTES <= end; number++) {
        const chunk = await db.exports.chunk(id, number);
        if (chunk === null) throw new Error(`export ${id} is gone`);
        const at = number * CHUNK_BYTES;
        yield chunk.subarray(Math.max(0, start - at), end + 1 - at);
      }
    },
  };
}
