/**
 * A kept picture as a file: its bytes, the hashes of their chunks, what is known of it, the SHA-256 of
 * hashes and facts, the length of the facts, and a mark. All but the bytes comes last, so that a file
 * can be written while the picture is being made, and one that was not finished is none.
 */
import type { FileHandle } from "node:fs/promises";
import { CHUNK_BYTES, HASH_BYTES, hashOf } from "./chunks.ts";
import type { About } from "./picture.ts";

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
