/**
 * The image pyramid (mipmap) of a print (L. Williams, SIGGRAPH 1983), with all sizes in one array for
 * the kernel.
 */

import { numbersOf } from "../../shaders/lib/layout.ts";
import { SIZE } from "../../shaders/mockup.ts";
import type { Samples } from "../image/samples.ts";
import { SRGB8_TO_LINEAR } from "../image/transfer.ts";
import type { Size } from "../size.ts";

/** Border texels of each size: those of the opposite edge if the print repeats, else of the same. */
const BORDER = 1;

/** Capacity of the table of sizes: more than a side of 2²² texels needs. */
const MAX_SIZES = 24;

/** The size is in texels, without the border. */
interface Level extends Size {
  /** Index of the texel at its border's corner. */
  readonly first: number;
}

export interface Pyramid {
  /** Packed square roots of linear light, premultiplied: 0…255 a channel. */
  readonly texels: Float32Array;
  /** 0…1; null if all is opaque. */
  readonly alphas: Float32Array | null;
  /** At least two, the largest first; the last is a single texel. */
  readonly sizes: readonly Level[];
}

/** Returns the table of sizes for the kernel; it ends with the last one twice. */
export function tableOf(sizes: readonly Level[]): Float32Array {
  const table = new Float32Array(SIZE.size * MAX_SIZES);
  table.set([...sizes, sizes[sizes.length - 1]].flatMap((size) => numbersOf(size, SIZE)));
  return table;
}

/**
 * Returns the pyramid of packed colours, `width` a row. All sizes have the same mean.
 * @param repeats whether the picture repeats; otherwise its edges continue
 */
export function pyramidOf(samples: Samples, width: number, repeats: boolean): Pyramid {
  const sizes = sizesOf(width, samples.colour.length / width);
  const last = sizes[sizes.length - 1];
  const count = last.first + lengthOf(last) * (last.height + 2 * BORDER);
  const texels = new Float32Array(count);
  const alphas = samples.alpha && new Float32Array(count);
  let lines = linesOf(samples, width);
  for (const [k, size] of sizes.entries()) {
    if (k > 0) lines = halve(lines, size);
    store(lines, size, texels, alphas);
    addBorder(texels, size, repeats);
    if (alphas) addBorder(alphas, size, repeats);
  }
  return { texels, alphas, sizes };
}

/** A size in linear light: `channels` numbers a texel, red, green, blue and, if there is one, alpha. */
interface Lines extends Size {
  readonly channels: 3 | 4;
  /** Returns a row, valid until the next call. */
  row(y: number): Float32Array;
}

/** Reads packed colours as linear light, premultiplied. */
function linesOf({ colour, alpha }: Samples, width: number): Lines {
  const channels = alpha ? 4 : 3;
  const line = new Float32Array(channels * width);
  const row = (y: number) => {
    for (let x = 0, i = y * width, to = 0; x < width; x++, i++, to += channels) {
      const packed = colour[i];
      const share = alpha ? alpha[i] / 255 : 1;
      line[to] = SRGB8_TO_LINEAR[(packed >> 16) & 255] * share;
      line[to + 1] = SRGB8_TO_LINEAR[(packed >> 8) & 255] * share;
      line[to + 2] = SRGB8_TO_LINEAR[packed & 255] * share;
      if (alpha) line[to + 3] = share;
    }
    return line;
  };
  return { width, height: colour.length / width, channels, row };
}

/** Stores a size as the kernel reads it. */
function store(
  { width, height, channels, row }: Lines,
  size: Level,
  texels: Float32Array,
  alphas: Float32Array | null,
): void {
  for (let y = 0; y < height; y++) {
    const line = row(y);
    const to = insideOf(size) + y * lengthOf(size);
    for (let x = 0, i = 0; x < width; x++, i += channels) {
      texels[to + x] = (root(line[i]) << 16) | (root(line[i + 1]) << 8) | root(line[i + 2]);
      if (alphas) alphas[to + x] = line[i + 3];
    }
  }
}

/** The stored root of a light of 0…1. */
const root = (light: number) => (255 * Math.sqrt(light) + 0.5) | 0;

function sizesOf(width: number, height: number): Level[] {
  const sizes: Level[] = [{ first: 0, width, height }];
  for (let last = sizes[0]; last.width * last.height > 1 || sizes.length < 2; ) {
    const first = last.first + lengthOf(last) * (last.height + 2 * BORDER);
    last = { first, width: Math.ceil(last.width / 2), height: Math.ceil(last.height / 2) };
    sizes.push(last);
  }
  return sizes;
}

/** Texels in a row of a size. */
const lengthOf = ({ width }: Level) => width + 2 * BORDER;

/** Index of a size's first texel inside its border. */
const insideOf = (size: Level) => size.first + BORDER * lengthOf(size) + BORDER;

/** Returns half the width and height: each texel is the mean of the rectangle it covers. */
function halve(from: Lines, { width, height }: Size): Lines {
  const { channels } = from;
  const across = axis(from.width);
  const down = axis(from.height);
  const length = channels * width;
  // Result of the first pass: columns of the smaller size, rows of the larger.
  const sums = new Float32Array(length * from.height);
  for (let y = 0, at = 0; y < from.height; y++) {
    const line = from.row(y);
    for (const { first, one, two, three } of across) {
      for (let channel = 0, i = channels * first; channel < channels; channel++, i++, at++) {
        let sum = one * line[i];
        if (two > 0) sum += two * line[i + channels];
        if (three > 0) sum += three * line[i + 2 * channels];
        sums[at] = sum;
      }
    }
  }
  const values = new Float32Array(length * height);
  for (const [y, { first, one, two, three }] of down.entries()) {
    for (let i = y * length, j = first * length; i < (y + 1) * length; i++, j++) {
      let sum = one * sums[j];
      if (two > 0) sum += two * sums[j + length];
      if (three > 0) sum += three * sums[j + 2 * length];
      values[i] = sum;
    }
  }
  const row = (y: number) => values.subarray(y * length, (y + 1) * length);
  return { width, height, channels, row };
}

/** The up to three texels of the larger size that one of the smaller covers: the first, and shares. */
interface TexelShares {
  readonly first: number;
  readonly one: number;
  readonly two: number;
  readonly three: number;
}

function axis(size: number): TexelShares[] {
  const count = Math.ceil(size / 2);
  const length = size / count;
  return Array.from({ length: count }, (_, i) => {
    const first = Math.floor(i * length + 1e-9);
    const share = (texel: number) => {
      const covered = Math.min((i + 1) * length, texel + 1) - Math.max(i * length, texel);
      return covered > 1e-9 ? covered / length : 0;
    };
    return { first, one: share(first), two: share(first + 1), three: share(first + 2) };
  });
}

function addBorder(values: Float32Array, size: Level, repeats: boolean): void {
  const { width, height } = size;
  const length = lengthOf(size);
  const start = insideOf(size);
  for (let row = 0; row < height; row++) {
    const left = start + row * length;
    const right = left + width - 1;
    values[left - 1] = values[repeats ? right : left];
    values[right + 1] = values[repeats ? left : right];
  }
  const top = size.first + length;
  const bottom = top + (height - 1) * length;
  const above = repeats ? bottom : top;
  const below = repeats ? top : bottom;
  values.copyWithin(top - length, above, above + length);
  values.copyWithin(bottom + length, below, below + length);
}
