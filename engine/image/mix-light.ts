/** Mixes the light of pixels where a picture is continued beyond its edges: millions of them a tile. */
import { LIGHT_WORDS, lightOf, OPAQUE, writeLight } from "./light.ts";
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

/** Returns two weighted sums as the halves of a word. */
const wordOf = (lower: number, upper: number) =>
  (((lower + HALF) >> WEIGHT_BITS) & 0xffff) | (((upper + HALF) >> WEIGHT_BITS) << 16);

/** Mixes pixels of two rows into `count` pixels of a third one, from `start` on, by the `mix`-th weights. */
export function mixRows(
  into: Int32Array,
  start: number,
  near: Int32Array,
  far: Int32Array,
  count: number,
  { weights }: Mixes,
  mix: number,
): void {
  const ofOwn = weights[3 * mix];
  const ofNear = weights[3 * mix + 1];
  const ofFar = weights[3 * mix + 2];
  const first = LIGHT_WORDS * start;
  for (let word = 0; word < LIGHT_WORDS * count; word++) {
    const a = into[first + word];
    const b = near[word];
    const c = far[word];
    into[first + word] = wordOf(
      Math.imul(ofOwn, lowerOf(a)) + Math.imul(ofNear, lowerOf(b)) + Math.imul(ofFar, lowerOf(c)),
      Math.imul(ofOwn, upperOf(a)) + Math.imul(ofNear, upperOf(b)) + Math.imul(ofFar, upperOf(c)),
    );
  }
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
      mixRows(into, at[mix] + offset, one, other, 1, mixes, mix);
    }
    return;
  }
  for (let mix = from, weight = 3 * from; mix < to; mix++, weight += 3) {
    const ofOwn = weights[weight];
    const ofNear = weights[weight + 1];
    const ofFar = weights[weight + 2];
    const word = LIGHT_WORDS * (at[mix] + offset);
    const a = into[word];
    const blue = lowerOf(into[word + 1]);
    const b = colour[first + near[mix]] | 0;
    const c = colour[first + far[mix]] | 0;
    into[word] = wordOf(
      Math.imul(ofOwn, lowerOf(a)) +
        Math.imul(ofNear, lightOf[(b >> 16) & 255]) +
        Math.imul(ofFar, lightOf[(c >> 16) & 255]),
      Math.imul(ofOwn, upperOf(a)) +
        Math.imul(ofNear, lightOf[(b >> 8) & 255]) +
        Math.imul(ofFar, lightOf[(c >> 8) & 255]),
    );
    const mixed =
      Math.imul(ofOwn, blue) +
      Math.imul(ofNear, lightOf[b & 255]) +
      Math.imul(ofFar, lightOf[c & 255]);
    into[word + 1] = (((mixed + HALF) >> WEIGHT_BITS) & 0xffff) | OPAQUE;
  }
}
