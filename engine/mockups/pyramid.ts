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
  /** Linear light of red, green and blue, 0…1, premultiplied. */
  readonly texels: Float32Array;
  /** 0…1; null if all is opaque. */
  readonly alphas: Float32Array | null;
  /** At least two, the largest first; the last is a single texel. */
  readonly sizes: readonly Level[];
}

/** Returns the table of sizes for the kernel. */
export function tableOf(sizes: readonly Level[]): Float32Array {
  const table = new Float32Array(SIZE.size * MAX_SIZES);
  table.set(sizes.flatMap((size) => numbersOf(size, SIZE)));
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
  const texels = new Float32Array(3 * count);
  const alphas = samples.alpha && new Float32Array(count);
  fill(samples, sizes[0], texels, alphas);
  for (let k = 1; k < sizes.length; k++) {
    halve(texels, 3, sizes[k - 1], sizes[k]);
    if (alphas) halve(alphas, 1, sizes[k - 1], sizes[k]);
  }
  for (const size of sizes) {
    addBorder(texels, 3, size, repeats);
    if (alphas) addBorder(alphas, 1, size, repeats);
  }
  return { texels, alphas, sizes };
}

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

function fill(
  { colour, alpha }: Samples,
  size: Level,
  texels: Float32Array,
  alphas: Float32Array | null,
): void {
  for (let row = 0, i = 0; row < size.height; row++) {
    let to = insideOf(size) + row * lengthOf(size);
    for (const end = i + size.width; i < end; i++, to++) {
      const packed = colour[i];
      let share = 1;
      if (alpha && alphas) {
        share = alpha[i] / 255;
        alphas[to] = share;
      }
      texels[3 * to] = SRGB8_TO_LINEAR[(packed >> 16) & 255] * share;
      texels[3 * to + 1] = SRGB8_TO_LINEAR[(packed >> 8) & 255] * share;
      texels[3 * to + 2] = SRGB8_TO_LINEAR[packed & 255] * share;
    }
  }
}

/** Fills a size of half the width and height: each texel is the mean of the rectangle it covers. */
function halve(values: Float32Array, channels: number, from: Level, to: Level): void {
  const across = axis(from.width);
  const down = axis(from.height);
  const line = channels * lengthOf(from);
  // Result of the first pass: columns of the smaller size, rows of the larger.
  const sums = new Float32Array(channels * to.width * from.height);
  for (let row = 0, at = 0; row < from.height; row++) {
    const start = channels * insideOf(from) + row * line;
    for (let column = 0; column < to.width; column++) {
      const { first, one, two, three } = across[column];
      for (
        let channel = 0, i = start + channels * first;
        channel < channels;
        channel++, i++, at++
      ) {
        let sum = one * values[i] + two * values[i + channels];
        if (three > 0) sum += three * values[i + 2 * channels];
        sums[at] = sum;
      }
    }
  }
  const length = channels * to.width;
  for (let row = 0; row < to.height; row++) {
    const { first, one, two, three } = down[row];
    const at = channels * (insideOf(to) + row * lengthOf(to));
    for (let i = 0, j = first * length; i < length; i++, j++) {
      let sum = one * sums[j];
      if (two > 0) sum += two * sums[j + length];
      if (three > 0) sum += three * sums[j + 2 * length];
      values[at + i] = sum;
    }
  }
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

function addBorder(values: Float32Array, channels: number, size: Level, repeats: boolean): void {
  const { width, height } = size;
  const length = channels * lengthOf(size);
  const start = channels * insideOf(size);
  for (let row = 0; row < height; row++) {
    const left = start + row * length;
    const right = left + channels * (width - 1);
    const before = repeats ? right : left;
    const after = repeats ? left : right;
    values.copyWithin(left - channels, before, before + channels);
    values.copyWithin(right + channels, after, after + channels);
  }
  const top = channels * (size.first + lengthOf(size));
  const bottom = top + (height - 1) * length;
  const above = repeats ? bottom : top;
  const below = repeats ? top : bottom;
  values.copyWithin(top - length, above, above + length);
  values.copyWithin(bottom + length, below, below + length);
}
