/**
 * A file that is read while it is being written, at each reader's own speed. What is read back is
 * verified. When the disk takes no more, what is written further on goes from memory to the readers who
 * are there, at the speed of the slowest.
 */
import { type FileHandle, open } from "node:fs/promises";
import { CHUNK_BYTES, hashOf, readChunk } from "./entry.ts";

/** How a file's growth ended: with its last byte, or before. */
type End = "whole" | { readonly error: unknown };

/** A reader's place. */
export interface Reader {
  /**
   * Bytes `start` to `end`, both included, or to where the file ends, as they are written. Throws what
   * broke it, and what `signal` aborts with.
   */
  read(start: number, end: number, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** Gives up the place: nothing more is read. */
  leave(): Promise<void>;
}

interface Passing {
  readonly start: number;
  readonly bytes: Uint8Array;
}

export class TailableFile {
  readonly #file: FileHandle;
  /** Hears once that the disk takes no more. */
  readonly #full: (error: unknown) => void;
  #written = 0;
  #end: End | null = null;
  /** Of the chunks that are complete; they are read from the file. */
  readonly #hashes: Buffer[] = [];
  /** The chunk after those, as far as it is written. */
  #tail = Buffer.allocUnsafe(CHUNK_BYTES);
  /** Where the disk took no more, */
  #failed: { readonly at: number; readonly error: unknown } | null = null;
  /** and what came since, as long as a reader needs it. */
  #passing: Passing[] = [];
  #hasForgotten = false;
  /** Who needs the file open; its maker is the first. */
  #holders = 0;
  readonly #readers = new Set<{ at: number }>();
  readonly #waiting = new Set<() => void>();

  private constructor(file: FileHandle, full: (error: unknown) => void) {
    this.#file = file;
    this.#full = full;
  }

  /** Begins a new file; throws where there is one. Its maker holds it. */
  static async create(
    path: string,
    full: (error: unknown) => void,
  ): Promise<{ file: TailableFile; release: () => Promise<void> }> {
    const file = new TailableFile(await open(path, "wx+", 0o600), full);
    return { file, release: file.#hold() };
  }

  /** Whether the disk took all of it. */
  get isOnDisk(): boolean {
    return this.#failed === null;
  }

  /** Keeps the file open until what this returns is called. */
  #hold(): () => Promise<void> {
    this.#holders++;
    let isHeld = true;
    return async () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders--;
      if (this.#holders === 0) await this.#file.close();
    };
  }

  /** A place for one more reader; null where the beginning is not there any more. */
  join(): Reader | null {
    if (this.#hasForgotten) return null;
    const release = this.#hold();
    const place = { at: 0 };
    this.#readers.add(place);
    return {
      read: (start, end, signal) => {
        place.at = start;
        return this.#read(place, end, signal);
      },
      leave: () => {
        this.#readers.delete(place);
        this.#wake();
        return release();
      },
    };
  }

  /** Appends bytes, for readers to see. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.byteLength; from += CHUNK_BYTES) {
      const piece = bytes.subarray(from, from + CHUNK_BYTES);
      if (await this.#append(piece)) this.#note(piece);
      else await this.#pass(piece);
    }
  }

  /** Whether the disk took them. */
  async #append(piece: Uint8Array): Promise<boolean> {
    if (this.#failed) return false;
    try {
      await this.#file.appendFile(piece);
      return true;
    } catch (error) {
      this.#failed = { at: this.#written, error };
      this.#full(error);
      return false;
    }
  }

  /** Takes note of bytes in the file, no more of them than a chunk has. */
  #note(piece: Uint8Array): void {
    const filled = this.#written % CHUNK_BYTES;
    const room = CHUNK_BYTES - filled;
    this.#tail.set(piece.subarray(0, room), filled);
    if (piece.byteLength >= room) {
      this.#hashes.push(hashOf(this.#tail));
      // Readers may still have the old one.
      this.#tail = Buffer.allocUnsafe(CHUNK_BYTES);
      this.#tail.set(piece.subarray(room));
    }
    this.#written += piece.byteLength;
    this.#wake();
  }

  /** Hands bytes to the readers from memory; resolves when all of them have come as far as these. */
  async #pass(bytes: Uint8Array): Promise<void> {
    const start = this.#written;
    this.#passing.push({ start, bytes });
    this.#written += bytes.byteLength;
    this.#wake();
    while ([...this.#readers].some(({ at }) => at < start)) await this.#change();
    const needed = this.#passing.filter((one) => one.start >= start);
    this.#hasForgotten ||= needed.length < this.#passing.length;
    this.#passing = needed;
  }

  /** Nothing follows for readers: they come to their end, or to what broke it. */
  end(how: End): void {
    this.#end = how;
    this.#wake();
  }

  /** The hashes of all chunks, one after the other. */
  hashes(): Uint8Array {
    const filled = this.#written % CHUNK_BYTES;
    const rest = filled > 0 ? [hashOf(this.#tail.subarray(0, filled))] : [];
    return Buffer.concat([...this.#hashes, ...rest]);
  }

  /** Appends bytes that are nobody's to read, and makes all of it last. Throws what the disk threw. */
  async seal(bytes: Uint8Array): Promise<void> {
    if (this.#failed) throw this.#failed.error;
    await this.#file.appendFile(bytes);
    await this.#file.datasync();
  }

  async *#read(
    place: { at: number },
    end: number,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    while (place.at <= end) {
      signal.throwIfAborted();
      const there = await this.#bytesAt(place.at);
      if (there) {
        const wanted = there.subarray(0, end + 1 - place.at);
        yield wanted;
        place.at += wanted.byteLength;
        if (this.#failed) this.#wake();
      } else if (this.#end === null) {
        await this.#change(signal);
      } else if (this.#end === "whole") {
        return;
      } else {
        throw this.#end.error;
      }
    }
  }

  /** Some bytes from a place on; null where nothing is written yet. */
  async #bytesAt(at: number): Promise<Uint8Array | null> {
    const number = Math.floor(at / CHUNK_BYTES);
    const from = number * CHUNK_BYTES;
    const hash = this.#hashes[number];
    if (hash) return (await readChunk(this.#file, number, CHUNK_BYTES, hash)).subarray(at - from);
    const inTail = this.#failed?.at ?? this.#written;
    if (at < inTail) return this.#tail.subarray(at - from, inTail - from);
    const passing = this.#passing.find(
      ({ start, bytes }) => start <= at && at < start + bytes.byteLength,
    );
    return passing ? passing.bytes.subarray(at - passing.start) : null;
  }

  /** Settles when something was written, or read, or ended, or nobody waits for it any more. */
  #change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal?.addEventListener("abort", wake, { once: true });
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
