/** Bytes on disk in chunks with a SHA-256 each, so that any part of a file can be verified as it is read. */
import { hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";

/** Bytes of each chunk of a file but the last: hashed in a fraction of a millisecond. */
export const CHUNK_BYTES = 256 * 1024;

/** Bytes of a chunk's hash. */
export const HASH_BYTES = 32;

export const hashOf = (bytes: Uint8Array): Buffer => hash("sha256", bytes, "buffer");

/** Returns the hashes of all chunks, one after the other. The event loop runs between chunks. */
export async function hashChunks(bytes: Uint8Array): Promise<Uint8Array> {
  const hashes: Buffer[] = [];
  for (let from = 0; from < bytes.byteLength; from += CHUNK_BYTES) {
    if (from > 0) await setImmediate();
    hashes.push(hashOf(bytes.subarray(from, from + CHUNK_BYTES)));
  }
  return Buffer.concat(hashes);
}

/**
 * The chunk with this number, counted from 0, of `bytes` bytes. Rejects where its hash is another one,
 * and with what the file system rejects with.
 */
export async function readChunk(
  file: FileHandle,
  number: number,
  bytes: number,
  expected: Uint8Array,
): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const at = number * CHUNK_BYTES + filled;
    const { bytesRead } = await file.read(chunk, filled, bytes - filled, at);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  if (filled < bytes || !hashOf(chunk).equals(expected)) {
    throw new Error(`chunk ${number} is not what was written: its SHA-256 differs`);
  }
  return chunk;
}

/** Bytes `start` to `end`, both included, of a file of `length` bytes; `hashes` follow one another. */
export async function* readVerified(
  file: FileHandle,
  { length, hashes }: { readonly length: number; readonly hashes: Uint8Array },
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  const last = Math.min(end, length - 1);
  for (let number = Math.floor(start / CHUNK_BYTES); number * CHUNK_BYTES <= last; number++) {
    const from = number * CHUNK_BYTES;
    const expected = hashes.subarray(number * HASH_BYTES, (number + 1) * HASH_BYTES);
    const chunk = await readChunk(file, number, Math.min(CHUNK_BYTES, length - from), expected);
    yield chunk.subarray(Math.max(0, start - from), last + 1 - from);
  }
}
