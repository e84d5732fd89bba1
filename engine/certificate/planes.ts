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
  const { channels: count, pixels } = image;
  const channels = Array.from(
    { length: count },
    () => new Float32Array(columns.count * rows.count),
  );
  const sumLine = Number.isInteger(columns.size) ? sumWholeBlocks : sumBlocks;
  const line = new Float64Array(columns.count + 1);
  for (let y = 0; y < image.height; y++) {
    const row = pixels.subarray(y * image.width * count, (y + 1) * image.width * count);
    const share = rows.share[y] / (columns.size * rows.size);
    const rest = 1 / (columns.size * rows.size) - share;
    for (let c = 0; c < count; c++) {
      sumLine(row, c, count, columns, line);
      addWeighted(channels[c], rows.block[y] * columns.count, line, share);
      if (rest > 1e-12) addWeighted(channels[c], (rows.block[y] + 1) * columns.count, line, rest);
    }
  }
  for (const plane of channels) subtractMean(plane);
  const { width, height } = image;
  return { width: columns.count, height: rows.count, pixels: { width, height }, channels };
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

/** The same for blocks of whole pixels, in a fraction of the time. */
function sumWholeBlocks(
  row: Uint8Array,
  channel: number,
  channels: number,
  { count, size }: Blocks,
  line: Float64Array,
): void {
  for (let block = 0, at = channel; block < count; block++) {
    let sum = 0;
    for (const end = at + size * channels; at < end; at += channels) sum += row[at];
    line[block] = sum;
  }
}

function addWeighted(plane: Float32Array, start: number, line: Float64Array, weight: number): void {
  const count = line.length - 1;
  for (let i = 0; i < count; i++) {
    plane[start + i] += weight * line[i];
  }
}

function subtractMean(plane: Float32Array): void {
  let sum = 0;
  for (const value of plane) sum += value;
  const mean = sum / plane.length;
  for (let i = 0; i < plane.length; i++) plane[i] = plane[i] - mean;
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

/** Returns the root mean square over all channels, in 8-bit steps. */
export function deviationOf({ channels }: SamplePlanes): number {
  let sum = 0;
  let count = 0;
  for (const plane of channels) {
    for (const value of plane) sum += value * value;
    count += plane.length;
  }
  return Math.sqrt(sum / count);
}
