/** Test pictures, and comparisons of rendered ones. */

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertIndexedToRgb, decode, encode } from "fast-png";
import sharp from "sharp";
import type { ByteImage } from "../../engine/image/picture.ts";
import type { Size } from "../../engine/size.ts";
import { decodeChannel } from "../../shaders/lib/colour.ts";
import { encodeChannel } from "../../shaders/lib/pack.ts";

/** 8-bit pixels, rows from the top, channels interleaved. */
export interface Raster extends Size {
  readonly channels: 1 | 2 | 3 | 4;
  readonly pixels: Uint8Array;
}

/** A uniform number 0…1 from two whole numbers, the same on every machine. */
export function hash(x: number, y: number): number {
  let bits = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

/** Smooth noise of a wavelength of one unit, 0…1. */
function cloud(x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [x - column, y - row].map((part) => part * part * (3 - 2 * part));
  const top = hash(column, row) * (1 - u) + hash(column + 1, row) * u;
  const bottom = hash(column, row + 1) * (1 - u) + hash(column + 1, row + 1) * u;
  return top * (1 - v) + bottom * v;
}

/** Discs as shares of the picture's width: middle, radius, and an sRGB colour. */
const DISCS = [
  { x: 0.23, y: 0.31, radius: 0.13, colour: [214, 84, 45] },
  { x: 0.71, y: 0.22, radius: 0.08, colour: [38, 64, 128] },
  { x: 0.58, y: 0.67, radius: 0.19, colour: [236, 201, 92] },
  { x: 0.87, y: 0.81, radius: 0.05, colour: [18, 22, 26] },
];

/**
 * A picture with the features of photographs: slow gradients, texture of several sizes, grain,
 * sharp edges, and no symmetry. RGB, 8 bits, the same on every machine.
 */
export function photograph(width: number, height: number): ByteImage {
  const pixels = new Uint8Array(width * height * 3);
  for (let row = 0, at = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, at += 3) {
      const [x, y] = [(column + 0.5) / width, (row + 0.5) / width];
      const disc = DISCS.find((disc) => Math.hypot(x - disc.x, y - disc.y) < disc.radius);
      const ground = [70 + 120 * x, 60 + 70 * y + 50 * x * y, 150 - 90 * x + 30 * y];
      const texture = cloud(x * 9, y * 9) + cloud(x * 31 + 5, y * 23) / 2 - 0.75;
      const grain = 8 * (hash(column + 7, row + 3) - 0.5);
      for (let channel = 0; channel < 3; channel += 1) {
        const colour = disc ? disc.colour[channel] : ground[channel];
        pixels[at + channel] = Math.min(255, Math.max(0, colour + 45 * texture + grain));
      }
    }
  }
  return { width, height, channels: 3, pixels };
}

/** A raster of 16 bits. */
interface DeepRaster extends Omit<Raster, "pixels"> {
  readonly pixels: Uint16Array;
}

/** Returns an opaque picture that fades away towards the right. */
export function faded({ width, height, pixels }: ByteImage): ByteImage {
  const with4 = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    with4.set(pixels.subarray(3 * at, 3 * at + 3), 4 * at);
    with4[4 * at + 3] = 255 - Math.floor((250 * (at % width)) / width);
  }
  return { width, height, channels: 4, pixels: with4 };
}

/** A raster as the bytes of a PNG of 8 or 16 bits, written by fast-png. */
export function pngOf({ width, height, channels, pixels }: Raster | DeepRaster): Uint8Array {
  const depth = pixels instanceof Uint16Array ? 16 : 8;
  return encode({ width, height, channels, depth, data: pixels });
}

/** Noise as a PNG: files made from it are large as well. */
export function noisePng(width: number, height: number): Promise<Uint8Array> {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  return sharp({ create: { width, height, channels: 3, background: "grey", noise } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** The pixels of a PNG of 8 bits or a palette as RGB or RGBA, read by fast-png with its checksums checked. */
export function rasterOf(png: Uint8Array): Raster {
  const decoded = decode(png, { checkCrc: true });
  const { width, height, channels, depth, data, palette } = decoded;
  if (palette) {
    const channels = palette[0]?.length as 3 | 4;
    return { width, height, channels, pixels: convertIndexedToRgb(decoded) };
  }
  if (depth !== 8) throw new Error("expected 8 bits a channel");
  const pixels = Uint8Array.from(data);
  return coloured({ width, height, channels: channels as Raster["channels"], pixels });
}

/** A grey raster as RGB, with its alpha if it has one; others as they are. */
export function coloured(raster: Raster): Raster {
  const { channels, pixels } = raster;
  if (channels > 2) return raster;
  const wide = channels === 1 ? 3 : 4;
  const rgb = new Uint8Array((pixels.length / channels) * wide);
  for (let from = 0, to = 0; from < pixels.length; from += channels, to += wide) {
    rgb.fill(pixels[from], to, to + 3);
    if (channels === 2) rgb[to + 3] = pixels[from + 1];
  }
  return { ...raster, channels: wide, pixels: rgb };
}

function sameShape(a: Raster, b: Raster): boolean {
  return a.width === b.width && a.height === b.height && a.channels === b.channels;
}

/** The largest difference between two rasters in any channel of any pixel; Infinity for other shapes. */
function maximumDifference(a: Raster, b: Raster): number {
  if (!sameShape(a, b)) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let at = 0; at < a.pixels.length; at += 1) {
    largest = Math.max(largest, Math.abs(a.pixels[at] - b.pixels[at]));
  }
  return largest;
}

const LIGHT = Array.from({ length: 256 }, (_, value) => decodeChannel(value / 255));

/** Means of opaque squares of so many pixels, in linear light. */
export function reduced({ width, height, channels, pixels }: Raster, by: number): Raster {
  const size = { width: width / by, height: height / by };
  const means = new Uint8Array(size.width * size.height * channels);
  for (let at = 0; at < means.length; at++) {
    const channel = at % channels;
    const column = Math.floor(at / channels) % size.width;
    const row = Math.floor(at / channels / size.width);
    let sum = 0;
    for (let j = row * by; j < (row + 1) * by; j++) {
      for (let i = column * by; i < (column + 1) * by; i++) {
        sum += LIGHT[pixels[(j * width + i) * channels + channel]];
      }
    }
    means[at] = Math.round(encodeChannel(sum / by ** 2));
  }
  return { ...size, channels, pixels: means };
}

/** The part of a raster that begins at a pixel. */
export function cropped(
  { width: stride, channels, pixels }: Raster,
  { x, y, width, height }: Size & { readonly x: number; readonly y: number },
): Raster {
  const part = new Uint8Array(width * height * channels);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * stride + x) * channels;
    part.set(pixels.subarray(from, from + width * channels), row * width * channels);
  }
  return { width, height, channels, pixels: part };
}

/** The mean difference between two rasters of one shape over all channels, in levels. */
export function meanDifference(a: Raster, b: Raster): number {
  if (!sameShape(a, b)) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let at = 0; at < a.pixels.length; at += 1) sum += Math.abs(a.pixels[at] - b.pixels[at]);
  return sum / a.pixels.length;
}

/**
 * Stores the pictures of a failed comparison: `expected.png`, `actual.png` and, if their shapes
 * agree, `difference.png` (eight times the difference, on black). Returns the path of their new
 * folder.
 */
function keepDifference(expected: Raster, actual: Raster): string {
  const folder = mkdtempSync(join(tmpdir(), "orbifold-difference-"));
  writeFileSync(join(folder, "expected.png"), pngOf(expected));
  writeFileSync(join(folder, "actual.png"), pngOf(actual));
  if (!sameShape(expected, actual)) return folder;
  const pixels = expected.pixels.map((value, at) => {
    const isAlpha = expected.channels % 2 === 0 && at % expected.channels === expected.channels - 1;
    return isAlpha ? 255 : Math.min(255, 8 * Math.abs(value - actual.pixels[at]));
  });
  writeFileSync(join(folder, "difference.png"), pngOf({ ...expected, pixels }));
  return folder;
}

/** The part of a test that `rasterWithin` needs. */
interface Asserter {
  ok(value: boolean, message: string): boolean;
}

/** Asserts that two rasters differ by at most `tolerance` levels; a failure names a folder with both. */
export function rasterWithin(
  t: Asserter,
  actual: Raster,
  expected: Raster,
  tolerance: number,
  message: string,
): boolean {
  const difference = maximumDifference(expected, actual);
  if (difference <= tolerance) return t.ok(true, message);
  return t.ok(
    false,
    `${message}: differs by ${difference} levels, see ${keepDifference(expected, actual)}`,
  );
}
