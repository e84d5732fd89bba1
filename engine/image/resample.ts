/**
 * Resamples a source into linear light at the scale of the render that samples it.
 */

import type { Size } from "../size.ts";
import { continued } from "./continuation.ts";
import { type FilterWeights, filterWeights } from "./filter-weights.ts";
import { type LinearRows, linearRowsOf, rowsOfLinearImage } from "./linear-rows.ts";
import type { DecodedImage, LinearImage } from "./picture.ts";

/** A rectangle in source pixels from the top left corner; may extend beyond the picture. */
export interface Region extends Size {
  readonly x: number;
  readonly y: number;
}

type LinearPixels = Omit<LinearImage, "mean">;

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
  light: LinearPixels,
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
function filter(rows: LinearRows, region: Region, width: number, height: number): LinearPixels {
  const { channels } = rows;
  const across = filterWeights(region.x, region.width, width);
  const down = filterWeights(region.y, region.height, height);
  const left = across.first[0];
  const columns = across.first[width - 1] + across.count - left;
  const top = down.first[0];
  const bottom = down.first[height - 1] + down.count;
  // The last block is read completely.
  const continuedRows = continued(rows, {
    left,
    top,
    width: columns,
    height: Math.ceil((bottom - top) / BLOCK) * BLOCK,
  });
  const filterRow = channels === 3 ? filterRow3 : filterRow4;
  const source = new Float64Array(columns * channels);
  const block = Array.from({ length: BLOCK }, () => new Float64Array(width * channels));
  const light = { width, height, channels, values: new Float32Array(width * height * channels) };
  for (let row = top, output = 0; row < bottom; row += BLOCK) {
    for (const [place, filtered] of block.entries()) {
      continuedRows.read(row + place, source);
      filterRow(source, across, left, filtered);
    }
    while (down.first[output] + down.count <= row) output += 1;
    addBlock(light, down, output, row, block);
  }
  return light;
}

/**
 * Clamps values that the filter's negative lobes push below 0. If they push alpha above 1, divides all
 * channels by it, so that no brighter outline appears next to transparency.
 */
function clampOvershoot(light: LinearPixels): void {
  const { channels, values } = light;
  for (let at = 0; at < values.length; at += 1) if (values[at] < 0) values[at] = 0;
  if (channels === 3) return;
  for (let at = 0; at < values.length; at += 4) {
    const alpha = values[at + 3];
    if (alpha > 0 && alpha <= 1) continue;
    const factor = alpha > 1 ? 1 / alpha : 0;
    for (let channel = at; channel < at + 4; channel += 1) values[channel] *= factor;
  }
}

/** Returns the mean colour, weighted by alpha. */
function meanOf(light: LinearPixels): LinearImage["mean"] {
  const { channels, values } = light;
  const sums = [0, 0, 0];
  let visible = channels === 3 ? values.length / 3 : 0;
  for (let at = 0; at < values.length; at += channels) {
    sums[0] += values[at];
    sums[1] += values[at + 1];
    sums[2] += values[at + 2];
    if (channels === 4) visible += values[at + 3];
  }
  const [red, green, blue] = visible > 0 ? sums.map((sum) => sum / visible) : sums;
  return [red, green, blue];
}

function finish(light: LinearPixels): LinearImage {
  clampOvershoot(light);
  return { ...light, mean: meanOf(light) };
}

/**
 * Resamples a rectangle of a picture into linear light with a separable Catmull–Rom filter, widened
 * for shrinking. Copies pixels exactly if they map onto pixels. Beyond its edges the picture is
 * continued with copies of itself.
 *
 * @param region in source pixels; both sides above 0
 * @param outWidth pixels
 * @param outHeight pixels
 */
export function resample(
  picture: DecodedImage,
  region: Region,
  outWidth: number,
  outHeight: number,
): LinearImage {
  const { width, height } = picture;
  const rows = linearRowsOf(picture);
  if (region.width * region.height <= 2 * width * height) {
    return finish(filter(rows, region, outWidth, outHeight));
  }
  // The region has many copies of the picture, and each pixel would be filtered once per copy. So the
  // picture is first shrunk to twice the output's resolution.
  const small = {
    width: Math.min(width, Math.ceil((2 * width * outWidth) / region.width)),
    height: Math.min(height, Math.ceil((2 * height * outHeight) / region.height)),
  };
  const whole = { x: 0, y: 0, width, height };
  const [across, down] = [small.width / width, small.height / height];
  const scaled = {
    x: region.x * across,
    y: region.y * down,
    width: region.width * across,
    height: region.height * down,
  };
  const shrunk = rowsOfLinearImage(filter(rows, whole, small.width, small.height));
  return finish(filter(shrunk, scaled, outWidth, outHeight));
}
