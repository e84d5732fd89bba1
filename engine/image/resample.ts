/** Resamples pictures in linear light. */

import type { Size } from "../size.ts";
import { continued } from "./continuation.ts";
import { type FilterKernel, type FilterWeights, filterWeights } from "./filter-weights.ts";
import { readLight } from "./linear-row.ts";
import { packPixel } from "./packed.ts";
import type { LinearImage, PackedImage, Region } from "./picture.ts";

/** Filters a row of 3 channels horizontally. `start` is the source column of the row's first pixel. */
function filterRow3(
  row: Float64Array,
  taps: FilterWeights,
  start: number,
  into: Float64Array,
): void {
  const { first, count, weights } = taps;
  for (let output = 0, tap = 0; output < first.length; output += 1) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let from = (first[output] - start) * 3;
    for (const end = tap + count; tap < end; tap += 1, from += 3) {
      const weight = weights[tap];
      red += weight * row[from];
      green += weight * row[from + 1];
      blue += weight * row[from + 2];
    }
    into[output * 3] = red;
    into[output * 3 + 1] = green;
    into[output * 3 + 2] = blue;
  }
}

/** The same for 4 channels. */
function filterRow4(
  row: Float64Array,
  taps: FilterWeights,
  start: number,
  into: Float64Array,
): void {
  const { first, count, weights } = taps;
  for (let output = 0, tap = 0; output < first.length; output += 1) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    let from = (first[output] - start) * 4;
    for (const end = tap + count; tap < end; tap += 1, from += 4) {
      const weight = weights[tap];
      red += weight * row[from];
      green += weight * row[from + 1];
      blue += weight * row[from + 2];
      alpha += weight * row[from + 3];
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
 * @param top the first output row that needs any of them
 */
function addBlock(
  light: LinearImage,
  down: FilterWeights,
  top: number,
  row: number,
  block: Float64Array[],
): void {
  const { height, values } = light;
  const { first, count, weights } = down;
  const [a, b, c, d] = block;
  for (let output = top; output < height && first[output] < row + BLOCK; output += 1) {
    const share = (place: number) => {
      const tap = row + place - first[output];
      return tap >= 0 && tap < count ? weights[output * count + tap] : 0;
    };
    const [ofA, ofB, ofC, ofD] = [share(0), share(1), share(2), share(3)];
    const start = output * a.length;
    for (let at = 0; at < a.length; at += 1) {
      values[start + at] += ofA * a[at] + ofB * b[at] + ofC * c[at] + ofD * d[at];
    }
  }
}

/**
 * Filters row by row. Every source row is read and filtered horizontally once, then added to the few
 * output rows that it contributes to, so nothing of the source's size is held.
 */
function filter(
  picture: PackedImage,
  region: Region,
  { width, height }: Size,
  kernel: FilterKernel,
): LinearImage {
  const channels = picture.alpha === null ? 3 : 4;
  const across = filterWeights(region.x, region.width, width, kernel);
  const down = filterWeights(region.y, region.height, height, kernel);
  const left = across.first[0];
  const columns = across.first[width - 1] + across.count - left;
  const top = down.first[0];
  const bottom = down.first[height - 1] + down.count;
  // The last block is read completely.
  const rows = continued(picture, {
    x: left,
    y: top,
    width: columns,
    height: Math.ceil((bottom - top) / BLOCK) * BLOCK,
  })();
  const filterRow = channels === 3 ? filterRow3 : filterRow4;
  const packed = {
    colour: new Float32Array(columns),
    alpha: picture.alpha === null ? null : new Uint8Array(columns),
  };
  const source = new Float64Array(columns * channels);
  const block = Array.from({ length: BLOCK }, () => new Float64Array(width * channels));
  const light: LinearImage = {
    width,
    height,
    channels,
    values: new Float32Array(width * height * channels),
  };
  for (let row = top, output = 0; row < bottom; row += BLOCK) {
    for (const [place, filtered] of block.entries()) {
      rows.read(row + place, packed);
      readLight(packed, source);
      filterRow(source, across, left, filtered);
    }
    while (down.first[output] + down.count <= row) output += 1;
    addBlock(light, down, output, row, block);
  }
  return light;
}

/**
 * Resamples a rectangle of a picture into linear light with a separable filter, widened for shrinking.
 * Beyond its edges the picture is continued with copies of itself.
 *
 * @param region in source pixels; both sides above 0
 * @param size pixels of the result
 */
export function resampledLight(
  picture: PackedImage,
  region: Region,
  size: Size,
  kernel: FilterKernel,
): LinearImage {
  const { width, height } = picture;
  if (region.width * region.height <= 2 * width * height) {
    return filter(picture, region, size, kernel);
  }
  // The region has many copies of the picture, and each pixel would be filtered once per copy. So the
  // picture is first shrunk to twice the output's resolution.
  const small = {
    width: Math.min(width, Math.ceil((2 * width * size.width) / region.width)),
    height: Math.min(height, Math.ceil((2 * height * size.height) / region.height)),
  };
  const whole = { x: 0, y: 0, width, height };
  const [across, down] = [small.width / width, small.height / height];
  const scaled = {
    x: region.x * across,
    y: region.y * down,
    width: region.width * across,
    height: region.height * down,
  };
  return filter(resample(picture, whole, small, kernel), scaled, size, kernel);
}

/**
 * Resamples a rectangle of a picture like `resampledLight`, into `into` if it is given. Copies pixels
 * exactly if they map onto pixels.
 */
export function resample(
  picture: PackedImage,
  region: Region,
  size: Size,
  kernel: FilterKernel,
  into: PackedImage = newImage(size, picture.alpha !== null),
): PackedImage {
  packAll(resampledLight(picture, region, size, kernel), into);
  return into;
}

const newImage = ({ width, height }: Size, hasAlpha: boolean): PackedImage => ({
  width,
  height,
  colour: new Float32Array(width * height),
  alpha: hasAlpha ? new Uint8Array(width * height) : null,
});

/** Packs linear light, premultiplied if there is alpha. */
function packAll({ channels, values }: LinearImage, into: PackedImage): void {
  for (let at = 0, from = 0; at < into.colour.length; at++, from += channels) {
    const opacity = channels === 3 ? 1 : values[from + 3];
    packPixel(into, at, values[from], values[from + 1], values[from + 2], opacity);
  }
}
