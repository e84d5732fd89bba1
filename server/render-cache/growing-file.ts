/** A file that is read while it is being written, at each reader's own speed. */
import { type FileHandle, open } from "node:fs/promises";

/** Bytes that a reader takes at once. */
const READ_BYTES = 256 * 1024;

/** How a file's growth ended: with its last byte, or before. */
type End = "whole" | { readonly error: unknown };

export class GrowingFile {
  readonly #file: FileHandle;
  #written = 0;
  #end: End | null = null;
  /** Who needs the file open; its maker is the first. */
  #holders = 0;
  readonly #waiting = new Set<() => void>();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Begins a new file; throws where there is one. Its maker holds it. */
  static async create(path: string): Promise<{ file: GrowingFile; release: () => Promise<void> }> {
    const file = new GrowingFile(await open(path, "wx+", 0o600));
    return { file, release: file.hold() };
  }

  /** Keeps the file open until what this gives is called. */
  hold(): () => Promise<void> {
    this.#holders++;
    let isHeld = true;
    return async () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders--;
      if (this.#holders === 0) await this.#file.close();
    };
  }

  /** Appends bytes, for readers to see. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#file.appendFile(bytes);
    this.#written += bytes.byteLength;
    this.#wake();
  }

  /** Nothing follows for readers: they come to their end, or to what broke it. */
  end(how: End): void {
    this.#end = how;
    this.#wake();
  }

  /** Appends bytes that are nobody's to read, and makes all of it last. */
  async seal(bytes: Uint8Array): Promise<void> {
    await this.#file.appendFile(bytes);
    await this.#file.datasync();
  }

  /**
   * Bytes `start` to `end`, both included, or to where the file ends, as they are written; throws
   * what broke it, and what `signal` aborts with. Whoever reads holds the file.
   */
  async *read(start: number, end: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (let at = start; at <= end; ) {
      signal.throwIfAborted();
      const there = Math.min(this.#written, end + 1) - at;
      if (there > 0) {
        const bytes = Buffer.allocUnsafe(Math.min(there, READ_BYTES));
        const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, at);
        at += bytesRead;
        yield bytes.subarray(0, bytesRead);
      } else if (this.#end === null) {
        await this.#growth(signal);
      } else if (this.#end === "whole") {
        return;
      } else {
        throw this.#end.error;
      }
    }
  }

  /** Settles when there is more, or an end, or nobody waits for it any more. */
  #growth(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
