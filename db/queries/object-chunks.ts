/** Files in the object store, whose chunks have a SHA-256 each, so that any range can be verified. */
import { hash } from "node:crypto";
import { CHUNK_BYTES } from "../connection/chunks.ts";
import { CorruptedContent } from "../errors.ts";
import { ObjectStoreUnavailable } from "../object-store.ts";
import { OTHER_BYTES, type StoredObjects } from "./stored-objects.ts";

export const HASH_BYTES = 32;

/** Chunks that are read by one request, 1 MiB: each slow download holds so much. */
export const CHUNKS_AT_ONCE = 4;

export const sha256Of = (content: Uint8Array) => hash("sha256", content, "buffer");

/** Returns a chunk of an export's file. Throws `CorruptedContent` where it has another SHA-256. */
export function verifiedChunk(content: Uint8Array, sha256: Uint8Array, id: number): Uint8Array {
  if (Buffer.compare(sha256Of(content), sha256) === 0) return content;
  throw corruptedExport(id);
}

export const corruptedExport = (id: number) =>
  new CorruptedContent(`export ${id}`, { remedy: "order it again" });

/**
 * Reads chunks of an object from the number `first` on, one for each hash; null where there is no such object.
 * Throws `CorruptedContent`, and where there are no hashes: then the export is gone.
 */
export async function readChunks(
  { get }: Pick<StoredObjects, "get">,
  key: string,
  first: number,
  hashes: readonly Uint8Array[],
  id: number,
): Promise<readonly Uint8Array[] | null> {
  // An empty range would be ignored, and the whole object read.
  if (hashes.length === 0) throw new Error(`export ${id} is gone`);
  const start = first * CHUNK_BYTES;
  const bytes = await get(key, { start, end: start + hashes.length * CHUNK_BYTES - 1 });
  return (
    bytes &&
    hashes.map((sha256, index) => {
      const at = index * CHUNK_BYTES;
      return verifiedChunk(bytes.subarray(at, at + CHUNK_BYTES), sha256, id);
    })
  );
}

/**
 * Stores a file as a new object, reads it back and returns its key. Throws what reading `content` throws, and
 * `ObjectStoreUnavailable`, also where the store returns other bytes than it was given.
 */
export async function storeFile(
  objects: Pick<StoredObjects, "get" | "put" | "discard">,
  sha256: string,
  content: AsyncIterable<Uint8Array>,
  hashes: readonly Uint8Array[],
  id: number,
  signal: AbortSignal,
): Promise<string> {
  const key = await objects.put("exports", sha256, content, signal);
  try {
    await verifyFile(objects, key, hashes, id);
  } catch (error) {
    await objects.discard(key);
    if (!(error instanceof CorruptedContent)) throw error;
    throw new ObjectStoreUnavailable(OTHER_BYTES, { cause: error });
  }
  return key;
}

/** Reads a whole file as it is stored. Throws `CorruptedContent`. */
async function verifyFile(
  objects: Pick<StoredObjects, "get">,
  key: string,
  hashes: readonly Uint8Array[],
  id: number,
): Promise<void> {
  for (let first = 0; first < hashes.length; first += CHUNKS_AT_ONCE) {
    const some = hashes.slice(first, first + CHUNKS_AT_ONCE);
    if ((await readChunks(objects, key, first, some, id)) === null) throw corruptedExport(id);
  }
}
