/** One band of rows as a piece of a PNG's compressed stream. */
import { promisify } from "node:util";
import { constants, deflateRaw, deflateRawSync, type ZlibOptions } from "node:zlib";
import { adler32 } from "./adler.ts";
import { deflateLiterals } from "./deflate-repeats.ts";
import { chooseCoding } from "./png-choice.ts";
import { filterRows, SUB } from "./png-filters.ts";
import type { StreamSum } from "./zlib-frame.ts";

const deflateAside = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateRaw);

/** Bytes that deflate can look back on. */
const WINDOW = 32768;

/** The sum is that of the filtered bytes. */
export interface DeflatedBand extends StreamSum {
  /** Raw deflate, ending on a byte without a final block, so that bands can be put in a row. */
  readonly deflated: Uint8Array;
}

/** A band that another thread may still compress. */
export interface PendingBand extends Omit<DeflatedBand, "deflated"> {
  readonly deflated: Uint8Array | Promise<Uint8Array>;
}

/** Filters and compresses the bands of one picture, or of rows within it, from top to bottom. */
export class BandDeflater {
  readonly #stride: number;
  readonly #pixelBytes: number;
  readonly #level: number;
  /** The last row of the band before; zeros at first, as the standard has it. */
  readonly #last: Uint8Array;
  /** The end of the filtered bytes so far, which matches may reach back to. */
  #window = new Uint8Array(0);
  /** Whether the row above the next one is known; above a picture's first one there are zeros. */
  #knowsAbove: boolean;

  /**
   * @param stride bytes of a row
   * @param pixelBytes bytes of a pixel, 1 to 4
   * @param level deflate level 1…9 for bands that matching makes smaller
   * @param startsPicture whether the first row is the picture's; nothing is known of the rows above
   * another one
   */
  constructor(stride: number, pixelBytes: number, level: number, startsPicture = true) {
    this.#stride = stride;
    this.#pixelBytes = pixelBytes;
    this.#level = level;
    this.#last = new Uint8Array(stride);
    this.#knowsAbove = startsPicture;
  }

  /** The next whole rows, tightly packed. */
  deflate(bytes: Uint8Array): DeflatedBand {
    const { filtered, matched } = this.#prepare(bytes);
    const deflated = matched === null ? this.#coded(filtered) : deflateRawSync(filtered, matched);
    return { ...sumsOf(filtered), deflated };
  }

  /**
   * The same bytes; where matching pays, which takes long, another thread compresses them. The rows
   * have been read when it returns, and those below need not wait.
   */
  deflateAside(bytes: Uint8Array): PendingBand {
    const { filtered, matched } = this.#prepare(bytes);
    // First, as the other thread works while the sums are made.
    const deflated = matched === null ? this.#coded(filtered) : deflateAside(filtered, matched);
    return { ...sumsOf(filtered), deflated };
  }

  #coded(filtered: Uint8Array): Uint8Array {
    return deflateLiterals(filtered, 1 + this.#stride);
  }

  /** The filtered rows, and how zlib is to match them, if it is. */
  #prepare(bytes: Uint8Array): {
    readonly filtered: Uint8Array;
    readonly matched: ZlibOptions | null;
  } {
    const rows = { bytes, stride: this.#stride, pixelBytes: this.#pixelBytes, above: this.#last };
    const { type, matching } = chooseCoding(rows, this.#level);
    const typeOf = (row: number) => (row === 0 && !this.#knowsAbove ? Math.min(type, SUB) : type);
    const filtered = filterRows(rows, typeOf);
    this.#knowsAbove = true;
    const matched = {
      finishFlush: constants.Z_SYNC_FLUSH,
      chunkSize: filtered.length + 1024,
      memLevel: 9,
      level: this.#level,
      ...(this.#window.length > 0 && { dictionary: this.#window }),
    };
    this.#last.set(bytes.subarray(bytes.length - this.#stride));
    this.#window = filtered.slice(-WINDOW);
    return { filtered, matched: matching ? matched : null };
  }
}

const sumsOf = (filtered: Uint8Array) => ({ adler: adler32(filtered), length: filtered.length });
