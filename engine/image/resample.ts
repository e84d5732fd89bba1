/** Shrinks pictures in linear light. */
import type { Size } from "../size.ts";
import { filterWeights } from "./filter-weights.ts";
import type { PackedImage, Region } from "./picture.ts";
import {
  createResamplingMemory,
  MOST_PIXELS,
  type ResamplingMemory,
  ROWS,
} from "./resample-code.ts";

export interface Resampler {
  /** Returns the pixels of the picture that a part of the result is made of. */
  needed(part: Region): Region;
  /** Makes a part of the result. The values of its pixels are the same in whatever part they are made. */
  run(part: Region, into: PackedImage): void;
}

/** Memory for pictures without and with alpha, made at their first use. */
const memories = new Map<boolean, ResamplingMemory>();

function memoryFor({ alpha }: PackedImage): ResamplingMemory {
  const hasAlpha = alpha !== null;
  const memory = memories.get(hasAlpha) ?? createResamplingMemory(hasAlpha);
  memories.set(hasAlpha, memory);
  return memory;
}

/**
 * Shrinks a picture, whose edges are continued with the pixels at them. Every row that a part needs is filtered across once
 * and kept until no further row of the part is made of it.
 * @param ratio pixels of the picture per pixel of the result, above 1 and up to 2
 * @param size of the result, which covers the picture
 */
export function createResampler(picture: PackedImage, ratio: number, size: Size): Resampler {
  const across = filterWeights(ratio, size.width);
  const down = filterWeights(ratio, size.height);
  const needed = ({ x, y, width, height }: Region): Region => {
    const left = Math.max(0, across.first[x]);
    const top = Math.max(0, down.first[y]);
    const right = Math.min(picture.width, across.first[x + width - 1] + across.count);
    const bottom = Math.min(picture.height, down.first[y + height - 1] + down.count);
    return { x: left, y: top, width: right - left, height: bottom - top };
  };
  /** Decodes a row's pixels from `left` on. */
  const decodeRow = (memory: ResamplingMemory, y: number, left: number, count: number) => {
    const from = Math.max(left, 0);
    const to = Math.min(left + count, picture.width);
    const row = picture.width * Math.min(Math.max(y, 0), picture.height - 1);
    readRow(memory.colours, picture.colour.subarray(row + from, row + to), from - left, count);
    if (picture.alpha !== null)
      readRow(memory.alphas, picture.alpha.subarray(row + from, row + to), from - left, count);
    memory.decode(count);
  };
  const run = (part: Region, into: PackedImage) => {
    const memory = memoryFor(picture);
    const { x, y, width } = part;
    const left = across.first[x];
    const count = across.first[x + width - 1] + across.count - left;
    for (let n = 0; n < width; n++) memory.first[n] = across.first[x + n] - left;
    memory.weights.set(across.weights.subarray(across.count * x, across.count * (x + width)));
    const colour = memory.packed.colour.subarray(0, width);
    const alpha = memory.packed.alpha.subarray(0, width);
    /** Rows of the picture: that of the memory's first row, and the next to be filtered. */
    let top = down.first[y];
    let next = top;
    for (let row = y; row < y + part.height; row++) {
      const first = down.first[row];
      for (; next < first + down.count; next++) {
        if (next - top === ROWS) {
          memory.keepFrom(first - top);
          top = first;
        }
        decodeRow(memory, next, left, count);
        memory.across(next - top, width, across.count);
      }
      memory.rowWeights.set(down.weights.subarray(down.count * row, down.count * (row + 1)));
      memory.down(first - top, width, down.count);
      into.colour.set(colour, row * into.width + x);
      into.alpha?.set(alpha, row * into.width + x);
    }
  };
  return {
    needed,
    run(part, into) {
      const right = part.x + part.width;
      for (let x = part.x; x < right; x += MOST_PIXELS)
        run({ ...part, x, width: Math.min(MOST_PIXELS, right - x) }, into);
    },
  };
}

/** Copies a row to `start`, and continues it to the first `count` values with those at its ends. */
function readRow<Row extends Float32Array | Uint8Array>(
  into: Row,
  row: Row,
  start: number,
  count: number,
): void {
  into.set(row, start);
  into.fill(row[0], 0, start);
  into.fill(row[row.length - 1], start + row.length, count);
}
