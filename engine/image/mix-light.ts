/** Mixes the light of pixels where a picture is continued beyond its edges: millions of them a tile. */
import { LIGHT_WORDS, lightOf, roundColours, writeLight, writeRounded } from "./light.ts";
import type { PackedRow } from "./picture.ts";

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

const lowerOf = (word: number) => (word << 16) >> 16;
const upperOf = (word: number) => word >> 16;
const rounded = (sum: number) => (sum + HALF) >> WEIGHT_BITS;

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
  const ofOwn = weights[3 * mix];
  const ofNear = weights[3 * mix + 1];
  const ofFar = weights[3 * mix + 2];
  const first = LIGHT_WORDS * start;
  const lower = (word: number) =>
    Math.imul(ofOwn, lowerOf(into[first + word])) +
    Math.imul(ofNear, lowerOf(near[word])) +
    Math.imul(ofFar, lowerOf(far[word]));
  const upper = (word: number) =>
    Math.imul(ofOwn, upperOf(into[first + word])) +
    Math.imul(ofNear, upperOf(near[word])) +
    Math.imul(ofFar, upperOf(far[word]));
  for (let word = 0; word < LIGHT_WORDS * count; word += LIGHT_WORDS) {
    const red = rounded(lower(word));
    const green = rounded(upper(word));
    const blue = rounded(lower(word + 1));
    if (hasAlpha) {
      const alpha = rounded(upper(word + 1));
      into[first + word] = (red & 0xffff) | (green << 16);
      into[first + word + 1] = (blue & 0xffff) | (alpha << 16);
    } else writeRounded(into, first + word, red, green, blue);
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
  for (let mix = from, weight = 3 * from; mix < to; mix++, weight += 3) {
    const ofOwn = weights[weight];
    const ofNear = weights[weight + 1];
    const ofFar = weights[weight + 2];
    const word = LIGHT_WORDS * (at[mix] + offset);
    const a = into[word];
    const b = colour[first + near[mix]] | 0;
    const c = colour[first + far[mix]] | 0;
    const red =
      Math.imul(ofOwn, lowerOf(a)) +
      Math.imul(ofNear, lightOf[(b >> 16) & 255]) +
      Math.imul(ofFar, lightOf[(c >> 16) & 255]);
    const green =
      Math.imul(ofOwn, upperOf(a)) +
      Math.imul(ofNear, lightOf[(b >> 8) & 255]) +
      Math.imul(ofFar, lightOf[(c >> 8) & 255]);
    const blue =
      Math.imul(ofOwn, lowerOf(into[word + 1])) +
      Math.imul(ofNear, lightOf[b & 255]) +
      Math.imul(ofFar, lightOf[c & 255]);
    writeRounded(into, word, rounded(red), rounded(green), rounded(blue));
  }
}
