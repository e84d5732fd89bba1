/** Downsampled channels of an image. */

import type { ByteImage } from "../image/picture.ts";
import type { Size } from "../size.ts";

/**
 * Channels of a picture that wraps, each with its mean subtracted, in 8-bit steps. The size is in
 * samples, at most the image's pixels.
 */
export interface SamplePlanes extends Size {
  /** Size of the image, in pixels. */
  readonly pixels: Size;
  /** Red, green, blue, and alpha if present; `width × height` values each. */
  readonly channels: readonly Float32Array[];
  /** Root mean square of all channels. */
  readonly deviation: number;
}

/** Pixels per sample up to which nothing is averaged: blocks of 1.5 pixels would gain little. */
const MAX_UNSAMPLED_RATIO = 1.5;
/** Samples a side in which translations and operations are searched. */
export const SAMPLES_PER_SIDE = 512;
/** A picture of at most so many pixels a side is not averaged. */
export const FULL_DETAIL_SIDE = SAMPLES_PER_SIDE * MAX_UNSAMPLED_RATIO;

/**
 * Returns an image with its colours premultiplied by alpha, so that fully transparent colours do not
 * count. Returns an opaque image itself.
 */
export function premultiply(image: ByteImage): ByteImage {
  if (image.channels === 3) return image;
  const pixels = image.pixels.slice();
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3];
    if (alpha === 255) continue;
    for (let c = at; c < at + 3; c++) pixels[c] = Math.round((pixels[c] * alpha) / 255);
  }
  return { ...image, pixels };
}

/**
 * Averages an image over blocks to about `most` samples a side. All channels are kept: a pattern
 * that is symmetric in its lightness alone is not symmetric.
 */
export function samplePlanes(image: ByteImage, most: number): SamplePlanes {
  const columns = blocks(image.width, most);
  const rows = blocks(image.height, most);
  const { channels: count } = image;
  const channels = Array.from(
    { length: count },
    () => new Float32Array(columns.count * rows.count),
  );
  if (Number.isInteger(columns.size) && Number.isInteger(rows.size)) {
    averageWholeBlocks(image, columns, rows, channels);
  } else {
    averageBlocks(image, columns, rows, channels);
  }
  let squares = 0;
  for (const plane of channels) squares += subtractMean(plane);
  const { width, height } = image;
  return {
    width: columns.count,
    height: rows.count,
    pixels: { width, height },
    channels,
    deviation: Math.sqrt(squares / (count * columns.count * rows.count)),
  };
}

/** Averages over blocks of whole pixels, in a fraction of the time of others. */
function averageWholeBlocks(
  image: ByteImage,
  columns: Blocks,
  rows: Blocks,
  channels: readonly Float32Array[],
): void {
  for (let y = 0; y < image.height; y++) addWholeBlocks(image, y, columns, rows, channels);
}

/** Adds a row of pixels to the averages of its blocks. */
function addWholeBlocks(
  { width, channels: count, pixels }: ByteImage,
  y: number,
  columns: Blocks,
  rows: Blocks,
  [red, green, blue, alpha]: readonly Float32Array[],
): void {
  const { size } = columns;
  const weight = 1 / (size * rows.size);
  const first = rows.block[y] * columns.count;
  let at = y * width * count;
  for (let to = first; to < first + columns.count; to++) {
    let ofRed = 0;
    let ofGreen = 0;
    let ofBlue = 0;
    let ofAlpha = 0;
    for (let x = 0; x < size; x++, at += count) {
      ofRed += pixels[at];
      ofGreen += pixels[at + 1];
      ofBlue += pixels[at + 2];
      if (count === 4) ofAlpha += pixels[at + 3];
    }
    red[to] += weight * ofRed;
    green[to] += weight * ofGreen;
    blue[to] += weight * ofBlue;
    if (count === 4) alpha[to] += weight * ofAlpha;
  }
}

function averageBlocks(
  { width, height, channels: count, pixels }: ByteImage,
  columns: Blocks,
  rows: Blocks,
  channels: readonly Float32Array[],
): void {
  const line = new Float64Array(columns.count + 1);
  for (let y = 0; y < height; y++) {
    const row = pixels.subarray(y * width * count, (y + 1) * width * count);
    const share = rows.share[y] / (columns.size * rows.size);
    const rest = 1 / (columns.size * rows.size) - share;
    for (let c = 0; c < count; c++) {
      sumBlocks(row, c, count, columns, line);
      addWeighted(channels[c], rows.block[y] * columns.count, line, share);
      if (rest > 1e-12) addWeighted(channels[c], (rows.block[y] + 1) * columns.count, line, rest);
    }
  }
}

/** Sums one channel of a row of pixels over blocks. */
function sumBlocks(
  row: Uint8Array,
  channel: number,
  channels: number,
  { block, share }: Blocks,
  line: Float64Array,
): void {
  line.fill(0);
  for (let x = 0, at = channel; at < row.length; x++, at += channels) {
    const value = row[at];
    const own = share[x];
    line[block[x]] += own * value;
    if (own < 1) line[block[x] + 1] += (1 - own) * value;
  }
}

function addWeighted(plane: Float32Array, start: number, line: Float64Array, weight: number): void {
  const count = line.length - 1;
  for (let i = 0; i < count; i++) {
    plane[start + i] += weight * line[i];
  }
}

/** Subtracts its mean from a plane. Returns the sum of the squares of what is left. */
function subtractMean(plane: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < plane.length; i++) sum += plane[i];
  const mean = sum / plane.length;
  let squares = 0;
  for (let i = 0; i < plane.length; i++) {
    plane[i] -= mean;
    squares += plane[i] ** 2;
  }
  return squares;
}

/** Blocks of pixels along an axis. */
interface Blocks {
  readonly count: number;
  /** In pixels. */
  readonly size: number;
  /** For each pixel, its first block, and the share of the pixel inside that. */
  readonly block: Int32Array;
  readonly share: Float64Array;
}

function blocks(pixels: number, most: number): Blocks {
  const whole = Math.ceil(pixels / most);
  const count = blockCount(pixels, most, whole);
  const size = pixels / count;
  const block = new Int32Array(pixels);
  const share = new Float64Array(pixels);
  for (let i = 0; i < pixels; i++) {
    const first = Math.min(count - 1, Math.floor((i + 1e-9) / size));
    block[i] = first;
    const inside = (first + 1) * size - i;
    share[i] = inside > 1 - 1e-9 ? 1 : inside;
  }
  return { count, size, block, share };
}

/** Number of blocks; prefers blocks of whole pixels, which preserve exact symmetry. */
function blockCount(pixels: number, most: number, whole: number): number {
  if (pixels <= most * MAX_UNSAMPLED_RATIO) return pixels;
  return pixels % whole === 0 ? pixels / whole : most;
}
