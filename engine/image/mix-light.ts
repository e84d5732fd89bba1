/** Mixes the light of pixels where a picture is continued beyond its edges: millions of them a tile. */
import { halfWords, LIGHT_WORDS, lightOf, roundColours, writeLight, ZERO } from "./light.ts";
import type { PackedRow } from "./picture.ts";
import { SRGB8_BY_LIGHT } from "./transfer.ts";

/** Adjacent pixels, or rows, `near` and `far` that are mixed into the ones at positions `at`. */
export interface Mixes {
  /** Ascending. */
  readonly at: Int32Array;
  readonly near: Int32Array;
  readonly far: Int32Array;
  /** Three for each position: of what is there, of `near` and of `far`. Their sum is 2¹⁵. */
  readonly weights: Int32Array;
}

/** Returns the mixes from index `from` to `to` − 1, in the same memory. */
export const sliceOf = ({ at, near, far, weights }: Mixes, from: number, to: number): Mixes => ({
  at: at.subarray(from, to),
  near: near.subarray(from, to),
  far: far.subarray(from, to),
  weights: weights.subarray(3 * from, 3 * to),
});

/** Returns the number of the first mix at a position or after it. */
export function firstMixFrom({ at }: Mixes, position: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle] < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What the weights of a mix add up to, as a power of two. */
export const WEIGHT_BITS = 15;
const HALF = 1 << (WEIGHT_BITS - 1);

// Local, because V8 loads an imported table again for each pixel, which takes as long as mixing it.
const { lower, upper } = halfWords;
const levels = SRGB8_BY_LIGHT;
const lightOfLevel = lightOf;
const OPAQUE = upper[255];

/** Returns the lower halves of three words, mixed by their weights; `mixUpper` does the same with the upper ones. */
const mixLower = (own: number, a: number, byB: number, b: number, byC: number, c: number) =>
  (Math.imul(own, (a << 16) >> 16) +
    Math.imul(byB, (b << 16) >> 16) +
    Math.imul(byC, (c << 16) >> 16) +
    HALF) >>
  WEIGHT_BITS;
const mixUpper = (own: number, a: number, byB: number, b: number, byC: number, c: number) =>
  (Math.imul(own, a >> 16) + Math.imul(byB, b >> 16) + Math.imul(byC, c >> 16) + HALF) >>
  WEIGHT_BITS;

/**
 * Mixes pixels of two rows into `count` pixels of a third one, from `start` on, by the `mix`-th weights. Colours are rounded to
 * 8 bits, so that they are the same where they are packed.
 */
export function mixRows(
  into: Int32Array,
  start: number,
  near: Int32Array,
  far: Int32Array,
  count: number,
  { weights }: Mixes,
  mix: number,
  hasAlpha: boolean,
): void {
  const own = weights[3 * mix];
  const byNear = weights[3 * mix + 1];
  const byFar = weights[3 * mix + 2];
  for (let from = 0, word = LIGHT_WORDS * start; from < LIGHT_WORDS * count; from += 2, word += 2) {
    const a = into[word];
    const b = near[from];
    const c = far[from];
    const nextA = into[word + 1];
    const nextB = near[from + 1];
    const nextC = far[from + 1];
    const red = mixLower(own, a, byNear, b, byFar, c);
    const green = mixUpper(own, a, byNear, b, byFar, c);
    const blue = mixLower(own, nextA, byNear, nextB, byFar, nextC);
    if (hasAlpha) {
      const alpha = mixUpper(own, nextA, byNear, nextB, byFar, nextC);
      into[word] = (red & 0xffff) | (green << 16);
      into[word + 1] = (blue & 0xffff) | (alpha << 16);
    } else {
      // A function for this would take V8 half as long again.
      into[word] = lower[levels[red + ZERO]] | upper[levels[green + ZERO]];
      into[word + 1] = lower[levels[blue + ZERO]] | OPAQUE;
    }
  }
  if (hasAlpha) roundColours(into, start, count);
}

const one = new Int32Array(LIGHT_WORDS);
const other = new Int32Array(LIGHT_WORDS);

/**
 * Mixes pixels of a picture's row, which begins at pixel `first`, into the pixels at `at` + `offset` of a row of light.
 * @param from the first mix
 * @param to the one after the last
 */
export function mixColumns(
  into: Int32Array,
  offset: number,
  picture: PackedRow,
  first: number,
  mixes: Mixes,
  from: number,
  to: number,
): void {
  const { at, near, far, weights } = mixes;
  const { colour, alpha } = picture;
  if (alpha !== null) {
    for (let mix = from; mix < to; mix++) {
      writeLight(picture, first + near[mix], one, 0, 1);
      writeLight(picture, first + far[mix], other, 0, 1);
      mixRows(into, at[mix] + offset, one, other, 1, mixes, mix, true);
    }
    return;
  }
  // Positions next to each other share the two pixels that are mixed into them.
  let known = -1;
  let b = 0;
  let nextB = 0;
  let c = 0;
  let nextC = 0;
  for (let mix = from, weight = 3 * from; mix < to; mix++, weight += 3) {
    if (near[mix] !== known) {
      known = near[mix];
      const nearby = colour[first + known] | 0;
      const farther = colour[first + far[mix]] | 0;
      b = lower[(nearby >> 16) & 255] | upper[(nearby >> 8) & 255];
      c = lower[(farther >> 16) & 255] | upper[(farther >> 8) & 255];
      nextB = lightOfLevel[nearby & 255];
      nextC = lightOfLevel[farther & 255];
    }
    const own = weights[weight];
    const byNear = weights[weight + 1];
    const byFar = weights[weight + 2];
    const word = LIGHT_WORDS * (at[mix] + offset);
    const a = into[word];
    const red = mixLower(own, a, byNear, b, byFar, c);
    const green = mixUpper(own, a, byNear, b, byFar, c);
    const blue = mixLower(own, into[word + 1], byNear, nextB, byFar, nextC);
    into[word] = lower[levels[red + ZERO]] | upper[levels[green + ZERO]];
    into[word + 1] = lower[levels[blue + ZERO]] | OPAQUE;
  }
}
