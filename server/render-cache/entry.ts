/**
 * File format of a cached picture: its bytes, the SHA-256 of each of their chunks, its facts as JSON,
 * the SHA-256 of hashes and facts, the length of the facts, and a magic number. Everything but the
 * bytes is in the footer, so that a file can be written while the picture is rendered, and an
 * incomplete file is recognised. Any part can be verified as it is read.
 */
import { hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { PictureFacts } from "./picture.ts";

/** Bytes of a chunk, except the last: hashed in a fraction of a millisecond. */
export const CHUNK_BYTES = 512 * 1024;

/** Bytes of a chunk's hash. */
const HASH_BYTES = 32;

export const hashOf = (bytes: Uint8Array): Buffer => hash("sha256", bytes, "buffer");

/** Facts of a complete picture. */
export interface EntryFacts extends PictureFacts {
  /** The fingerprint: 64 hex digits. */
  readonly name: string;
  /** Bytes. */
  readonly length: number;
  /** In hex. */
  readonly sha256: string;
}

export interface Entry extends EntryFacts {
  /** The SHA-256 of each chunk, concatenated. */
  readonly hashes: Uint8Array;
}

/** Magic number at the end of a file; changes with the format. */
const MAGIC = Buffer.from("orbifold picture 3");

/** Bytes of the hash, the length of the facts and the magic number. */
const TAIL_BYTES = MAGIC.length + 4 + HASH_BYTES;

/** Upper bound of the facts' bytes. */
const MAX_FACTS = 4096;

/** Returns the bytes that follow the picture. */
export function footerOf({ hashes, name, length, sha256, strain, backend }: Entry): Uint8Array {
  const facts = Buffer.from(JSON.stringify({ name, length, sha256, strain, backend }));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(facts.length);
  return Buffer.concat([hashes, facts, hashOf(Buffer.concat([hashes, facts])), size, MAGIC]);
}

/** Reads and verifies a file's footer. Throws if the file is incomplete or has another fingerprint. */
export async function readEntry(
  file: FileHandle,
  fileBytes: number,
  fingerprint: string,
): Promise<Entry> {
  const end = await readEnd(file, fileBytes, MAX_FACTS + TAIL_BYTES);
  if (end.length < TAIL_BYTES || !end.subarray(-MAGIC.length).equals(MAGIC)) {
    throw new Error("the file is incomplete: it has no footer");
  }
  const tail = end.length - TAIL_BYTES;
  const size = end.readUInt32BE(tail + HASH_BYTES);
  const facts: EntryFacts = JSON.parse(end.subarray(Math.max(0, tail - size), tail).toString());
  const hashesBytes = Math.ceil(facts.length / CHUNK_BYTES) * HASH_BYTES;
  if (facts.length + hashesBytes + size + TAIL_BYTES !== fileBytes) {
    throw new Error(`the file has ${fileBytes} bytes, which its footer contradicts`);
  }
  const footer = await readEnd(file, fileBytes, hashesBytes + size + TAIL_BYTES);
  const covered = footer.subarray(0, hashesBytes + size);
  if (!hashOf(covered).equals(footer.subarray(covered.length, covered.length + HASH_BYTES))) {
    throw new Error("the footer is damaged: its SHA-256 differs");
  }
  if (facts.name !== fingerprint) throw new Error(`the file is of ${facts.name}`);
  return { ...facts, hashes: footer.subarray(0, hashesBytes) };
}

/** Reads the last bytes of a file, `atMost` of them. */
async function readEnd(file: FileHandle, fileBytes: number, atMost: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.min(fileBytes, atMost));
  await file.read(bytes, 0, bytes.length, fileBytes - bytes.length);
  return bytes;
}

/**
 * Returns the concatenated hashes of all chunks. The event loop runs between chunks.
 * @param bytes of a whole picture, which is not empty
 * @param sha256 of all bytes, in hex
 */
export async function hashChunks(bytes: Uint8Array, sha256: string): Promise<Uint8Array> {
  if (bytes.byteLength <= CHUNK_BYTES) return Buffer.from(sha256, "hex");
  const hashes: Buffer[] = [];
  for (let from = 0; from < bytes.byteLength; from += CHUNK_BYTES) {
    if (from > 0) await setImmediate();
    hashes.push(hashOf(bytes.subarray(from, from + CHUNK_BYTES)));
  }
  return Buffer.concat(hashes);
}

/**
 * Reads chunk `number`, from 0, of `bytes` bytes. Throws if its hash differs, and file system errors.
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
    throw new Error(`chunk ${number} is damaged: its SHA-256 differs`);
  }
  return chunk;
}

/**
 * Yields bytes `start` to `end`, both included, of a file of `length` bytes.
 * @param hashes of its chunks, concatenated
 */
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
