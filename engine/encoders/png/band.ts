/** Filters and compresses one band of rows of a PNG's zlib stream. */
import { promisify } from "node:util";
import { constants, deflateRaw, deflateRawSync, type ZlibOptions } from "node:zlib";
import { newBytes, reusedArray } from "../../reused-array.ts";
import { adler32 } from "./deflate/adler.ts";
import { deflateLiterals } from "./deflate/repeats.ts";
import type { StreamSum } from "./deflate/zlib-frame.ts";
import { chooseCoding } from "./filter-selection.ts";
import { filterRows, type PixelRows, SUB } from "./filters.ts";

const deflateRawAsync = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateRaw);

/** Returns memory for the filtered rows of a band, until those of the next one. */
export const filteredBytes = reusedArray(newBytes, 1 << 22);

/**
 * Bytes that zlib returns at a time. They are in memory that V8 frees only when it collects old garbage, so it should be no
 * more than most bands need. It decides about the file: with six bytes of it left, or less, zlib ends a band twice.
 */
export const ZLIB_CHUNK_BYTES = 1 << 17;

/** Bytes of deflate's window. */
const WINDOW = 32768;

/** A band's compressed bytes, with the checksum and length of its filtered bytes. */
export interface DeflatedBand extends StreamSum {
  /** Raw deflate without a final block, ending on a byte boundary, so that bands can be concatenated. */
  readonly deflated: Uint8Array;
}

/** A band that a zlib thread may still be compressing. */
export interface PendingBand extends Omit<DeflatedBand, "deflated"> {
  readonly deflated: Uint8Array | Promise<Uint8Array>;
}

/** Filters and compresses the bands of a picture, or of a strip of it, from top to bottom. */
export class BandDeflater {
  readonly #stride: number;
  readonly #pixelBytes: number;
  readonly #level: number;
  /** The last row of the previous band; zeros at first (PNG §9.2). */
  readonly #last: Uint8Array;
  /** Returns the last filtered bytes, up to 32 KiB, that matches may refer to. */
  #window: () => Uint8Array = () => new Uint8Array(0);
  /** Whether the row above the next one is known; above a picture's first row there are zeros. */
  #knowsAbove: boolean;

  /**
   * @param stride bytes of a row
   * @param pixelBytes bytes of a pixel, 1 to 4
   * @param level deflate level 1…9 for bands that matching makes smaller
   * @param startsPicture whether the first row is the picture's; the row above any other is unknown
   */
  constructor(stride: number, pixelBytes: number, level: number, startsPicture = true) {
    this.#stride = stride;
    this.#pixelBytes = pixelBytes;
    this.#level = level;
    this.#last = new Uint8Array(stride);
    this.#knowsAbove = startsPicture;
  }

  /**
   * Continues below a band as if this had compressed it.
   * @param lastRow of that band
   * @param read returns the whole band; called if matches may refer to it
   */
  continueBelow(lastRow: Uint8Array, read: () => Pick<PixelRows, "bytes" | "above">): void {
    this.#last.set(lastRow);
    this.#knowsAbove = true;
    this.#window = () => {
      const band = { ...read(), stride: this.#stride, pixelBytes: this.#pixelBytes };
      const { type } = chooseCoding(band, this.#level);
      return filterRows(band, () => type).slice(-WINDOW);
    };
  }

  /** Compresses the next whole rows, tightly packed, to memory that the next band of any picture uses again. */
  deflate(bytes: Uint8Array): DeflatedBand {
    const { filtered, matched } = this.#prepare(bytes);
    const deflated = matched === null ? this.#coded(filtered) : deflateRawSync(filtered, matched);
    return { ...sumsOf(filtered), deflated };
  }

  /**
   * Like `deflate`, with the same bytes, but runs the slow matching compressor on a zlib thread.
   * `bytes` may be reused on return, and the next rows need not wait.
   */
  deflateAsync(bytes: Uint8Array): PendingBand {
    const { filtered, matched } = this.#prepare(bytes);
    // Started first: the zlib thread works while this one computes the checksum. It reads a copy, because the next
    // band is filtered into the same memory.
    const deflated =
      matched === null ? this.#coded(filtered) : deflateRawAsync(filtered.slice(), matched);
    return { ...sumsOf(filtered), deflated };
  }

  #coded(filtered: Uint8Array): Uint8Array {
    return deflateLiterals(filtered, 1 + this.#stride);
  }

  /** Returns the filtered rows, in memory that the next band reuses, and zlib's options if matching pays. */
  #prepare(bytes: Uint8Array): {
    readonly filtered: Uint8Array;
    readonly matched: ZlibOptions | null;
  } {
    const rows = { bytes, stride: this.#stride, pixelBytes: this.#pixelBytes, above: this.#last };
    const { type, matching } = chooseCoding(rows, this.#level);
    const typeOf = (row: number) => (row === 0 && !this.#knowsAbove ? Math.min(type, SUB) : type);
    const filtered = filterRows(rows, typeOf, filteredBytes);
    this.#knowsAbove = true;
    const matched = matching ? this.#matchingOptions() : null;
    this.#last.set(bytes.subarray(bytes.length - this.#stride));
    const window = filtered.slice(-WINDOW);
    this.#window = () => window;
    return { filtered, matched };
  }

  #matchingOptions(): ZlibOptions {
    const dictionary = this.#window();
    return {
      finishFlush: constants.Z_SYNC_FLUSH,
      chunkSize: ZLIB_CHUNK_BYTES,
      memLevel: 9,
      level: this.#level,
      ...(dictionary.length > 0 && { dictionary }),
    };
  }
}

const sumsOf = (filtered: Uint8Array) => ({ adler: adler32(filtered), length: filtered.length });
