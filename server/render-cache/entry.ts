/**
 * A kept picture as a file: its bytes, then what is known of it. What is known comes last, so that a
 * file can be written while the picture is being made, and one that was not finished is none.
 */
import type { FileHandle } from "node:fs/promises";
import type { About } from "./picture.ts";

/** What is known of a picture that is whole. */
export interface Facts extends About {
  /** Bytes. */
  readonly length: number;
  /** In hex. */
  readonly sha256: string;
}

/** Closes a file; changes with its form. */
const MARK = Buffer.from("orbifold picture 1");

/** The mark, and before it the length of the facts. */
const TAIL_BYTES = MARK.length + 4;

/** More than facts ever take. */
const MOST_FACTS = 4096;

/** What follows the picture's bytes. */
export function footerOf({ length, sha256, strain, backend }: Facts): Uint8Array {
  const facts = Buffer.from(JSON.stringify({ length, sha256, strain, backend }));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(facts.length);
  return Buffer.concat([facts, size, MARK]);
}

/** What is known of the picture in a file; null where the file is not whole. */
export async function readFacts(file: FileHandle, fileBytes: number): Promise<Facts | null> {
  const room = Math.min(fileBytes, MOST_FACTS + TAIL_BYTES);
  const end = Buffer.alloc(room);
  await file.read(end, 0, room, fileBytes - room);
  if (room < TAIL_BYTES || !end.subarray(-MARK.length).equals(MARK)) return null;
  const size = end.readUInt32BE(room - TAIL_BYTES);
  if (size > room - TAIL_BYTES) return null;
  const from = room - TAIL_BYTES - size;
  const facts = parsed(end.subarray(from, from + size).toString());
  return facts?.length === fileBytes - TAIL_BYTES - size ? facts : null;
}

function parsed(text: string): Facts | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
