/** Resamples pictures in linear light. */

import { newNumbers, reusedArray } from "../reused-array.ts";
import type { Size } from "../size.ts";
import { ContinuedPicture } from "./continuation.ts";
import { type FilterKernel, type FilterWeights, filterWeights } from "./filter-weights.ts";
import { LIGHT_WORDS, linearizeLight } from "./light.ts";
import { packPixel } from "./packed.ts";
import type { PackedImage, Region } from "./picture.ts";

/** Weights of an interval of output pixels. */
interface Taps extends FilterWeights {
  /** First output pixel. */
  readonly from: number;
  /** Output pixels. */
  readonly length: number;
}

/** Filters a row of 3 channels horizontally. `start` is the source column of the row's first pixel. */
function filterRow3(row: Float64Array, taps: Taps, start: number, into: Float64Array): void {
  const { first, count, weights, from, length } = taps;
  for (let output = 0, tap = from * count; output < length; output += 1) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let at = (first[from + output] - start) * 3;
    for (const end = tap + count; tap < end; tap += 1, at += 3) {
      const weight = weights[tap];
      red += weight * row[at];
      green += weight * row[at + 1];
      blue += weight * row[at + 2];
    }
    into[output * 3] = red;
    into[output * 3 + 1] = green;
    into[output * 3 + 2] = blue;
  }
}

/** The same for 4 channels. */
function filterRow4(row: Float64Array, taps: Taps, start: number, into: Float64Array): void {
  const { first, count, weights, from, length } = taps;
  for (let output = 0, tap = from * count; output < length; output += 1) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    let at = (first[from + output] - start) * 4;
    for (const end = tap + count; tap < end; tap += 1, at += 4) {
      const weight = weights[tap];
      red += weight * row[at];
      green += weight * row[at + 1];
      blue += weight * row[at + 2];
      alpha += weight * row[at + 3];
    }
    into[output * 4] = red;
    into[output * 4 + 1] = green;
    into[output * 4 + 2] = blue;
    into[output * 4 + 3] = alpha;
  }
}

/** Rows added to an output row in one pass; fewer would load and store the output row more often. */
const BLOCK = 4;

/**
 * Adds to every output row its shares of a block of filtered rows that starts at source row `row`.
 * @param values output rows, from `down.from` on
 * @param top the first output row that needs any of them
 */
function addBlock(
  values: Float32Array,
  down: Taps,
  top: number,
  row: number,
  block: readonly Float64Array[],
): void {
  const { first, count, weights, from, length } = down;
  const [a, b, c, d] = block;
  for (let output = top; output < from + length && first[output] < row + BLOCK; output += 1) {
    const share = (place: number) => {
      const tap = row + place - first[output];
      return tap >= 0 && tap < count ? weights[output * count + tap] : 0;
    };
    const [ofA, ofB, ofC, ofD] = [share(0), share(1), share(2), share(3)];
    const start = (output - from) * a.length;
    for (let at = 0; at < a.length; at += 1) {
      values[start + at] += ofA * a[at] + ofB * b[at] + ofC * c[at] + ofD * d[at];
    }
  }
}

export interface Resampler {
  /** Returns the pixels of the picture that a part of the result is made of; they may lie beyond its edges. */
  needed(part: Region): Region;
  /** Makes a part of the result. The values of its pixels are the same in whatever part they are made. */
  run(part: Region, into: PackedImage): void;
}

/**
 * Resamples a rectangle of a picture with a separable filter, widened for shrinking. Beyond its edges the
 * picture is continued with copies of itself. Every source row is read and filtered horizontally once,
 * then added to the few output rows that it contributes to, so nothing of the source's size is held.
 * Pixels that map onto pixels are copied exactly.
 *
 * @param region in source pixels; both sides above 0
 * @param size pixels of the whole result
 */
export function createResampler(
  picture: PackedImage,
  region: Region,
  size: Size,
  kernel: FilterKernel,
): Resampler {
  const channels = picture.alpha === null ? 3 : 4;
  const filterRow = channels === 3 ? filterRow3 : filterRow4;
  const across = filterWeights(region.x, region.width, size.width, kernel);
  const down = filterWeights(region.y, region.height, size.height, kernel);
  /** Blocks of rows begin at the same rows in all parts, so that sums are rounded in the same places. */
  const top = down.first[0];
  const blocks = (rows: number) => Math.ceil(rows / BLOCK) * BLOCK;
  const needed = ({ x, y, width, height }: Region): Region => {
    const left = across.first[x];
    const upper = top + blocks(down.first[y] - top + 1) - BLOCK;
    return {
      x: left,
      y: upper,
      width: across.first[x + width - 1] + across.count - left,
      height: blocks(down.first[y + height - 1] + down.count - upper),
    };
  };
  const continued = new ContinuedPicture(picture, needed({ x: 0, y: 0, ...size }));
  return {
    needed,
    run(part, into) {
      const { x, y, width, height } = part;
      const source = needed(part);
      const line = new Int32Array(LIGHT_WORDS * source.width);
      const light = new Float64Array(source.width * channels);
      const block = Array.from({ length: BLOCK }, () => new Float64Array(width * channels));
      const values = sums(width * height * channels).fill(0);
      const [acrossPart, downPart] = [
        { ...across, from: x, length: width },
        { ...down, from: y, length: height },
      ];
      let output = y;
      for (let row = source.y; row < source.y + source.height; row += BLOCK) {
        for (const [place, filtered] of block.entries()) {
          continued.copy({ ...source, y: row + place, height: 1 }, line, 0, source.width);
          linearizeLight(line, channels, light);
          filterRow(light, acrossPart, source.x, filtered);
        }
        while (down.first[output] + down.count <= row) output += 1;
        addBlock(values, downPart, output, row, block);
      }
      packPart(values, channels, part, into);
    },
  };
}

/** The sums of one part: at most those of a row of blocks of 12 megapixels. */
const sums = reusedArray(newNumbers, 1 << 21);

/** Packs linear light, premultiplied if there is alpha. */
function packPart(
  values: Float32Array,
  channels: number,
  { x, y, width, height }: Region,
  into: PackedImage,
): void {
  for (let row = 0, from = 0; row < height; row++) {
    let at = (y + row) * into.width + x;
    for (const end = at + width; at < end; at++, from += channels) {
      const opacity = channels === 3 ? 1 : values[from + 3];
      packPixel(into, at, values[from], values[from + 1], values[from + 2], opacity);
    }
  }
}
