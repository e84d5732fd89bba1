/**
 * A kept picture as a file: its bytes in chunks with a SHA-256 each, so that any part can be verified as
 * it is read; then the hashes, what is known of the picture, the SHA-256 of both, the length of the
 * facts, and a mark. All but the bytes comes last, so that a file can be written while the picture is
 * being made, and one that was not finished is none.
 */
import { hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { About } from "./picture.ts";

/** Bytes of each chunk of a file but the last: hashed in a fraction of a millisecond. */
export const CHUNK_BYTES = 256 * 1024;

/** Bytes of a chunk's hash. */
const HASH_BYTES = 32;

export const hashOf = (bytes: Uint8Array): Buffer => hash("sha256", bytes, "buffer");

/** What is known of a picture that is whole. */
export interface Facts extends About {
  /** 64 hex digits. */
  readonly name: string;
  /** Bytes. */
  readonly length: number;
  /** In hex. */
  readonly sha256: string;
}

export interface Entry extends Facts {
  /** The SHA-256 of each chunk, one after the other. */
  readonly hashes: Uint8Array;
}

/** Closes a file; changes with its form. */
const MARK = Buffer.from("orbifold picture 2");

/** The mark, the length of the facts before it, and the hash before that. */
const TAIL_BYTES = MARK.length + 4 + HASH_BYTES;

/** More than facts ever take. */
const MAX_FACTS = 4096;

/** What follows the picture's bytes. */
export function footerOf({ hashes, name, length, sha256, strain, backend }: Entry): Uint8Array {
  const facts = Buffer.from(JSON.stringify({ name, length, sha256, strain, backend }));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(facts.length);
  return Buffer.concat([hashes, facts, hashOf(Buffer.concat([hashes, facts])), size, MARK]);
}

/** What a file says of the picture in it. Rejects where the file is not whole or not of that name. */
export async function readEntry(file: FileHandle, fileBytes: number, name: string): Promise<Entry> {
  const end = await readEnd(file, fileBytes, MAX_FACTS + TAIL_BYTES);
  if (end.length < TAIL_BYTES || !end.subarray(-MARK.length).equals(MARK)) {
    throw new Error("the file has no end");
  }
  const tail = end.length - TAIL_BYTES;
  const size = end.readUInt32BE(tail + HASH_BYTES);
  const facts: Facts = JSON.parse(end.subarray(Math.max(0, tail - size), tail).toString());
  const hashesBytes = Math.ceil(facts.length / CHUNK_BYTES) * HASH_BYTES;
  if (facts.length + hashesBytes + size + TAIL_BYTES !== fileBytes) {
    throw new Error(`the file has ${fileBytes} bytes, which is not what it says itself`);
  }
  const footer = await readEnd(file, fileBytes, hashesBytes + size + TAIL_BYTES);
  const covered = footer.subarray(0, hashesBytes + size);
  if (!hashOf(covered).equals(footer.subarray(covered.length, covered.length + HASH_BYTES))) {
    throw new Error("what the file says of its picture is not what was written");
  }
  if (facts.name !== name) throw new Error(`the file is of ${facts.name}`);
  return { ...facts, hashes: footer.subarray(0, hashesBytes) };
}

/** The last bytes of a file, `atMost` of them. */
async function readEnd(file: FileHandle, fileBytes: number, atMost: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.min(fileBytes, atMost));
  await file.read(bytes, 0, bytes.length, fileBytes - bytes.length);
  return bytes;
}

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
