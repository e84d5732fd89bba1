/** Mixes packed pixels in linear light where a picture is continued beyond its edges: millions of them a tile. */
import type { PackedRow } from "./picture.ts";
import { SRGB8_BY_LIGHT, SRGB8_TO_LINEAR } from "./transfer.ts";

const LEVELS = 256;

/**
 * The light of each level as an index of `SRGB8_BY_LIGHT`, plus ½: a mean of these numbers is rounded by leaving out its
 * fraction.
 */
const LIGHT_INDEX = Float64Array.from(
  SRGB8_TO_LINEAR,
  (light) => light * (SRGB8_BY_LIGHT.length - 1) + 0.5,
);

/** Adjacent pixels, or rows, `near` and `far` that are mixed into the ones at positions `at`. */
export interface Mixes {
  /** Ascending. */
  readonly at: Int32Array;
  readonly near: Int32Array;
  readonly far: Int32Array;
  /** Three for each position, 0…1: of what is there, of `near` and of `far`. Their sum is 1. */
  readonly weights: Float64Array;
}

/** Mixes two pixels into one, with the weights from index `first` on. */
function mixPixel(
  into: PackedRow,
  at: number,
  near: PackedRow,
  nearAt: number,
  far: PackedRow,
  farAt: number,
  weights: Float64Array,
  first: number,
): void {
  let own = weights[first];
  let ofNear = weights[first + 1];
  let ofFar = weights[first + 2];
  if (into.alpha !== null && near.alpha !== null && far.alpha !== null) {
    own *= into.alpha[at];
    ofNear *= near.alpha[nearAt];
    ofFar *= far.alpha[farAt];
    const sum = own + ofNear + ofFar;
    into.alpha[at] = Math.floor(sum + 0.5);
    if (sum === 0) return;
    own /= sum;
    ofNear /= sum;
    ofFar /= sum;
  }
  const a = into.colour[at] | 0;
  const b = near.colour[nearAt] | 0;
  const c = far.colour[farAt] | 0;
  const light = LIGHT_INDEX;
  const red = own * light[a >> 16] + ofNear * light[b >> 16] + ofFar * light[c >> 16];
  const green =
    own * light[(a >> 8) & 255] + ofNear * light[(b >> 8) & 255] + ofFar * light[(c >> 8) & 255];
  const blue = own * light[a & 255] + ofNear * light[b & 255] + ofFar * light[c & 255];
  into.colour[at] = packIndices(red, green, blue);
}

/** Packs means of `LIGHT_INDEX`, each 0.5 to 65535.5. */
const packIndices = (red: number, green: number, blue: number) =>
  (SRGB8_BY_LIGHT[red | 0] << 16) | (SRGB8_BY_LIGHT[green | 0] << 8) | SRGB8_BY_LIGHT[blue | 0];

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

/**
 * Mixes pixels of a picture's row, which begins at `start`, into the pixels at `at` + `offset` of a row.
 * @param from the first mix
 * @param to the one after the last
 */
export function mixColumns(
  into: PackedRow,
  offset: number,
  picture: PackedRow,
  start: number,
  { at, near, far, weights }: Mixes,
  from: number,
  to: number,
): void {
  if (into.alpha !== null) {
    for (let k = from; k < to; k++) {
      const nearAt = start + near[k];
      const farAt = start + far[k];
      mixPixel(into, at[k] + offset, picture, nearAt, picture, farAt, weights, 3 * k);
    }
    return;
  }
  const light = LIGHT_INDEX;
  const [own, pixels] = [into.colour, picture.colour];
  for (let k = from, w = 3 * from; k < to; k++, w += 3) {
    const ofOwn = weights[w];
    const ofNear = weights[w + 1];
    const ofFar = weights[w + 2];
    const a = own[at[k] + offset] | 0;
    const b = pixels[start + near[k]] | 0;
    const c = pixels[start + far[k]] | 0;
    const red = ofOwn * light[a >> 16] + ofNear * light[b >> 16] + ofFar * light[c >> 16];
    const green =
      ofOwn * light[(a >> 8) & 255] +
      ofNear * light[(b >> 8) & 255] +
      ofFar * light[(c >> 8) & 255];
    const blue = ofOwn * light[a & 255] + ofNear * light[b & 255] + ofFar * light[c & 255];
    own[at[k] + offset] = packIndices(red, green, blue);
  }
}

/** Rows of at least so many pixels are mixed by tables: filling them takes longer than mixing fewer. */
const LONG = 256;

/** Returns a function that mixes two rows into `length` pixels of a third one, from `start` on, by the `mix`-th weights. */
export function createRowMixer({ weights }: Mixes) {
  /** `LIGHT_INDEX` of each level times the weight of a row. */
  const ofOwn = new Float64Array(LEVELS);
  const ofNear = new Float64Array(LEVELS);
  const ofFar = new Float64Array(LEVELS);
  return (
    into: PackedRow,
    start: number,
    length: number,
    near: PackedRow,
    far: PackedRow,
    mix: number,
  ): void => {
    if (into.alpha !== null || length < LONG) {
      for (let at = 0; at < length; at++) {
        mixPixel(into, start + at, near, at, far, at, weights, 3 * mix);
      }
      return;
    }
    for (let level = 0; level < LEVELS; level++) {
      ofOwn[level] = weights[3 * mix] * LIGHT_INDEX[level];
      ofNear[level] = weights[3 * mix + 1] * LIGHT_INDEX[level];
      ofFar[level] = weights[3 * mix + 2] * LIGHT_INDEX[level];
    }
    const [own, ones, others] = [into.colour, near.colour, far.colour];
    for (let at = 0; at < length; at++) {
      const a = own[start + at] | 0;
      const b = ones[at] | 0;
      const c = others[at] | 0;
      const red = ofOwn[a >> 16] + ofNear[b >> 16] + ofFar[c >> 16];
      const green = ofOwn[(a >> 8) & 255] + ofNear[(b >> 8) & 255] + ofFar[(c >> 8) & 255];
      const blue = ofOwn[a & 255] + ofNear[b & 255] + ofFar[c & 255];
      own[start + at] = packIndices(red, green, blue);
    }
  };
}
