/**
 * A file that is read while it is written, at each reader's own speed. Chunks read from disk are
 * verified. After a write error further bytes go from memory to the current readers, at the speed of
 * the slowest.
 */
import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { CHUNK_BYTES, type Entry, hashOf, readChunk } from "./entry.ts";

/** How writing ended: complete, or with an error. */
type End = "whole" | { readonly error: unknown };

export interface Reader {
  /**
   * Yields bytes `start` to `end`, both included, or to the file's end, as they are written. Throws
   * the error that ended writing, and the reason of `signal`.
   */
  read(start: number, end: number, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** Ends reading. */
  leave(): Promise<void>;
}

interface BufferedBytes {
  readonly start: number;
  readonly bytes: Uint8Array;
}

export class TailableFile {
  readonly #file: FileHandle;
  /** Called once with the first write error. */
  readonly #onError: (error: unknown) => void;
  #written = 0;
  /** Of all bytes on disk. */
  readonly #sha256 = createHash("sha256");
  #end: End | null = null;
  /** Hashes of the complete chunks, which are read from the file. */
  readonly #hashes: Buffer[] = [];
  /** The incomplete chunk after those. */
  #tail = Buffer.allocUnsafe(CHUNK_BYTES);
  /** The first write error and its offset. */
  #failed: { readonly at: number; readonly error: unknown } | null = null;
  /** Bytes since the write error that a reader still needs. */
  #buffered: BufferedBytes[] = [];
  #isTruncated = false;
  /** Number of users of the open file, the writer included. */
  #holders = 0;
  readonly #readers = new Set<{ at: number }>();
  readonly #waiting = new Set<() => void>();

  private constructor(file: FileHandle, onError: (error: unknown) => void) {
    this.#file = file;
    this.#onError = onError;
  }

  /** Creates the file, open until `release` and all readers are done. Throws if it exists. */
  static async create(
    path: string,
    onError: (error: unknown) => void,
  ): Promise<{ file: TailableFile; release: () => Promise<void> }> {
    const file = new TailableFile(await open(path, "wx+", 0o600), onError);
    return { file, release: file.#hold() };
  }

  /** Whether all bytes were written to disk. */
  get isOnDisk(): boolean {
    return this.#failed === null;
  }

  /** Keeps the file open until the returned function is called. */
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

  /** Adds a reader; null if the start of the file is no longer available. */
  subscribe(): Reader | null {
    if (this.#isTruncated) return null;
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

  /** Appends bytes and wakes the readers. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.byteLength; from += CHUNK_BYTES) {
      const chunk = bytes.subarray(from, from + CHUNK_BYTES);
      if (await this.#append(chunk)) this.#addToTail(chunk);
      else await this.#buffer(chunk);
    }
  }

  /** Returns whether the bytes were written to disk. */
  async #append(chunk: Uint8Array): Promise<boolean> {
    if (this.#failed) return false;
    try {
      await this.#file.appendFile(chunk);
      return true;
    } catch (error) {
      this.#failed = { at: this.#written, error };
      this.#onError(error);
      return false;
    }
  }

  /** Hashes bytes that were written, at most one chunk. */
  #addToTail(chunk: Uint8Array): void {
    this.#sha256.update(chunk);
    const filled = this.#written % CHUNK_BYTES;
    const room = CHUNK_BYTES - filled;
    this.#tail.set(chunk.subarray(0, room), filled);
    if (chunk.byteLength >= room) {
      this.#hashes.push(hashOf(this.#tail));
      // Readers may still hold the old one.
      this.#tail = Buffer.allocUnsafe(CHUNK_BYTES);
      this.#tail.set(chunk.subarray(room));
    }
    this.#written += chunk.byteLength;
    this.#wake();
  }

  /** Passes bytes to the readers from memory; resolves when all of them have reached these. */
  async #buffer(bytes: Uint8Array): Promise<void> {
    const start = this.#written;
    this.#buffered.push({ start, bytes });
    this.#written += bytes.byteLength;
    this.#wake();
    while ([...this.#readers].some(({ at }) => at < start)) await this.#change();
    const needed = this.#buffered.filter((one) => one.start >= start);
    this.#isTruncated ||= needed.length < this.#buffered.length;
    this.#buffered = needed;
  }

  /** Ends writing: readers end after the last byte, or throw the error. */
  end(how: End): void {
    this.#end = how;
    this.#wake();
  }

  /** Returns the length of what was written, its SHA-256 in hex and the concatenated hashes of all chunks. Once only. */
  content(): Pick<Entry, "length" | "sha256" | "hashes"> {
    const digest = this.#sha256.digest();
    const filled = this.#written % CHUNK_BYTES;
    const hashes = [...this.#hashes];
    // The hash of an only chunk is that of all bytes.
    if (filled > 0)
      hashes.push(hashes.length === 0 ? digest : hashOf(this.#tail.subarray(0, filled)));
    return { length: this.#written, sha256: digest.toString("hex"), hashes: Buffer.concat(hashes) };
  }

  /** Appends bytes that readers do not get and flushes the file. Throws the first write error. */
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

  /** Returns some bytes from an offset on; null if none are written yet. */
  async #bytesAt(at: number): Promise<Uint8Array | null> {
    const number = Math.floor(at / CHUNK_BYTES);
    const from = number * CHUNK_BYTES;
    const hash = this.#hashes[number];
    if (hash) return (await readChunk(this.#file, number, CHUNK_BYTES, hash)).subarray(at - from);
    const inTail = this.#failed?.at ?? this.#written;
    if (at < inTail) return this.#tail.subarray(at - from, inTail - from);
    const buffered = this.#buffered.find(
      ({ start, bytes }) => start <= at && at < start + bytes.byteLength,
    );
    return buffered ? buffered.bytes.subarray(at - buffered.start) : null;
  }

  /** Resolves at the next write, read or end, and when `signal` aborts. */
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
