/** A file that is made on disk and then stored as an object. */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { CHUNK_BYTES } from "../connection/chunks.ts";
import type { ExportFileWriter, ExportRun } from "./export-runs.ts";
import { sha256Of, storeFile } from "./object-chunks.ts";
import type { ObjectStorage, StoredObjects } from "./stored-objects.ts";

export async function stageFile(
  { id }: ExportRun,
  objects: StoredObjects,
  { folder }: ObjectStorage,
): Promise<ExportFileWriter> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const file = await open(path, "wx+", 0o600);
  // Its bytes stay until it is closed, and are gone if the process dies.
  await rm(path);
  let length = 0;

  const writeAt = async (bytes: Uint8Array, start: number) => {
    for (let at = 0; at < bytes.byteLength; ) {
      at += (await file.write(bytes, at, bytes.byteLength - at, start + at)).bytesWritten;
    }
  };

  async function* content() {
    for (let start = 0; start < length; start += CHUNK_BYTES) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, length - start));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, start);
      if (bytesRead < chunk.length) throw new Error(`a file of ${length} bytes ended early`);
      yield chunk;
    }
  }

  return {
    async write(chunk) {
      await writeAt(chunk, length);
      length += chunk.byteLength;
    },
    overwrite: (at, bytes) => writeAt(bytes, at),
    async finish(signal) {
      const whole = createHash("sha256");
      const chunkHashes: Uint8Array[] = [];
      for await (const chunk of content()) {
        whole.update(chunk);
        chunkHashes.push(sha256Of(chunk));
      }
      const sha256 = whole.digest("hex");
      const key = await storeFile(objects, sha256, content(), chunkHashes, id, signal);
      return { bytes: length, sha256, object: { key, chunkHashes } };
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
