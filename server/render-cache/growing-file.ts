/** A file that is read while it is being written, at each reader's own speed. */
import { type FileHandle, open } from "node:fs/promises";

/** Bytes that a reader takes at once. */
const READ_BYTES = 256 * 1024;

export class GrowingFile {
  readonly #file: FileHandle;
  #written = 0;
  /** Null while it grows; whatever broke it, or that it is whole. */
  #end: { readonly error: unknown } | "whole" | null = null;
  #readers = 0;
  readonly #waiting = new Set<() => void>();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Begins a new file; throws where there is one. */
  static async create(path: string): Promise<GrowingFile> {
    return new GrowingFile(await open(path, "wx+", 0o600));
  }

  /** Appends bytes, for readers to see. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#file.appendFile(bytes);
    this.#written += bytes.byteLength;
    this.#wake();
  }

  /** Appends bytes that are nobody's to read, and makes all of it last. */
  async seal(bytes: Uint8Array): Promise<void> {
    await this.#file.appendFile(bytes);
    await this.#file.datasync();
  }

  /** Nothing follows: readers come to their end, or to what broke it. */
  async close(broken?: { readonly error: unknown }): Promise<void> {
    this.#end = broken ?? "whole";
    this.#wake();
    await this.#release();
  }

  /**
   * Bytes `start` to `end`, both included, or to where the file ends, as they are written; throws
   * what broke it. `left` is called once it is read no further.
   */
  async *read(start: number, end: number, left: () => void): AsyncGenerator<Uint8Array> {
    this.#readers++;
    try {
      for (let at = start; at <= end; ) {
        const there = Math.min(this.#written, end + 1) - at;
        if (there > 0) {
          const bytes = Buffer.allocUnsafe(Math.min(there, READ_BYTES));
          const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, at);
          at += bytesRead;
          yield bytes.subarray(0, bytesRead);
        } else if (this.#end === null) {
          await new Promise<void>((resolve) => this.#waiting.add(resolve));
        } else if (this.#end === "whole") {
          return;
        } else {
          throw this.#end.error;
        }
      }
    } finally {
      this.#readers--;
      left();
      await this.#release();
    }
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }

  async #release(): Promise<void> {
    if (this.#end !== null && this.#readers === 0) await this.#file.close();
  }
}
