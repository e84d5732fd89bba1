/** The row filters of PNG (W3C PNG 3rd edition, §9). */
import { newBytes } from "../../reused-array.ts";
import { createFilterMemory, type FilterMemory } from "./filter-code.ts";

/** Consecutive rows of a picture. */
export interface PixelRows {
  /** Whole rows, tightly packed. */
  readonly bytes: Uint8Array;
  /** Bytes of a row. */
  readonly stride: number;
  /** Bytes of a pixel, 1 to 4. */
  readonly pixelBytes: number;
  /** The row above the first one. */
  readonly above: Uint8Array;
}

/** The filter type that changes nothing. */
export const NONE = 0;
/** The last filter type that ignores the row above. */
export const SUB = 1;
/** The slowest filter type. */
export const PAETH = 4;
/** All filter types. */
export const TYPES = [NONE, SUB, 2, 3, PAETH];

/** Capacity for most rows, with which the memory begins. */
const USUAL_BYTES = 16384;

let memory: FilterMemory | undefined;

/** Filters rows of one length, each below the one before. All filters share one memory: only the latest one may be used. */
export class RowFilter {
  readonly #memory: FilterMemory;
  readonly #length: number;
  readonly #pixelBytes: number;
  readonly #filtered: Uint8Array;
  #row: 0 | 1 = 0;

  /** @param above the row above the first one */
  constructor(above: Uint8Array, pixelBytes: number) {
    if (memory === undefined || memory.capacity < above.length)
      memory = createFilterMemory(2 ** Math.ceil(Math.log2(Math.max(above.length, USUAL_BYTES))));
    this.#memory = memory;
    this.#length = above.length;
    this.#pixelBytes = pixelBytes;
    this.#filtered = memory.filtered.subarray(0, above.length);
    memory.rows[1].set(above);
  }

  /** Returns the next row, filtered, in memory that the next call uses again; `bytes` themselves if nothing changes them. */
  next(bytes: Uint8Array, type: number): Uint8Array {
    const row = this.#row;
    const { rows, filter } = this.#memory;
    rows[row].set(bytes);
    this.#row = row === 0 ? 1 : 0;
    if (type === NONE) return bytes;
    filter(type, row, this.#length, this.#pixelBytes);
    return this.#filtered;
  }
}

/**
 * Returns the filtered rows, each after its filter type.
 * @param typeOf returns the filter type of a row, counted from 0
 * @param allocate returns the memory for them
 */
export function filterRows(
  { bytes, stride, pixelBytes, above }: PixelRows,
  typeOf: (row: number) => number,
  allocate = newBytes,
): Uint8Array {
  const result = allocate(bytes.length + bytes.length / stride);
  const filter = new RowFilter(above, pixelBytes);
  for (let row = 0, to = 0; to < result.length; row++, to += stride + 1) {
    const type = typeOf(row);
    result[to] = type;
    result.set(filter.next(bytes.subarray(row * stride, (row + 1) * stride), type), to + 1);
  }
  return result;
}
