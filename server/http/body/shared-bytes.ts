import { Writable } from "node:stream";

/** Collects written bytes in shared memory, without copying them again. */
export class SharedBytes extends Writable {
  readonly #space: Uint8Array;
  #length = 0;

  /** @param capacity bytes at most; memory is taken only as it is written */
  constructor(capacity: number) {
    super();
    this.#space = new Uint8Array(new SharedArrayBuffer(capacity));
  }

  /** The bytes written so far. */
  get bytes(): Uint8Array {
    return this.#space.subarray(0, this.#length);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (this.#length + chunk.byteLength > this.#space.byteLength) {
      done(new RangeError(`expected at most ${this.#space.byteLength} bytes`));
      return;
    }
    this.#space.set(chunk, this.#length);
    this.#length += chunk.byteLength;
    done();
  }
}
