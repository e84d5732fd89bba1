/**
 * Files on their way from a thread to the main thread, in shared memory that the thread uses again. As messages they would be
 * copied to memory that V8 frees only when it collects old garbage.
 */
import { lengthOf, putParts } from "../encoders/encoder.ts";

/** A file in shared memory, until it is copied. */
export interface SharedFile {
  readonly memory: SharedArrayBuffer;
  /** Bytes of the file. */
  readonly length: number;
}

/** Bytes before the file: a number that is not 0 until the file is copied. */
const HEAD_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** Bytes of a thread's memory. The system provides no more of them than the largest file has needed. */
const MEMORY_BYTES = 4 * 1024 * 1024;

/**
 * Returns a function that puts the pieces of a file, in order, where `copyShared` reads them. It returns null where they do
 * not fit, or the last file has not been copied.
 */
export function createSharedFiles(): (pieces: readonly Uint8Array[]) => SharedFile | null {
  const memory = new SharedArrayBuffer(MEMORY_BYTES);
  const isTaken = takenIn(memory);
  return (pieces) => {
    const length = lengthOf(pieces);
    if (length > MEMORY_BYTES - HEAD_BYTES || Atomics.load(isTaken, 0) !== 0) return null;
    const file = { memory, length };
    putParts(pieces, viewOf(file));
    Atomics.store(isTaken, 0, 1);
    return file;
  };
}

/** Returns the bytes of a file where they lie. */
export const viewOf = ({ memory, length }: SharedFile): Uint8Array =>
  new Uint8Array(memory, HEAD_BYTES, length);

/** Returns a copy of a file, whose memory the thread may use again. */
export function copyShared(file: SharedFile): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(file.length);
  bytes.set(viewOf(file));
  Atomics.store(takenIn(file.memory), 0, 0);
  return bytes;
}

const takenIn = (memory: SharedArrayBuffer) => new Int32Array(memory, 0, 1);
