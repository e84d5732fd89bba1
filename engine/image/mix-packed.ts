/** Mixes packed pixels in linear light where a picture is continued beyond its edges: millions of them a tile. */
import type { PackedRow } from "./picture.ts";
import { SRGB8_BY_LIGHT, SRGB8_TO_LINEAR } from "./transfer.ts";

/** Weights, 0…1, of the pixel that is there and of two others. Their sum is 1. */
type Weights = readonly [own: number, near: number, far: number];

/** Two adjacent pixels, or rows, that are mixed into the one at position `at`. */
export interface Mix {
  readonly at: number;
  readonly near: number;
  readonly far: number;
  readonly weights: Weights;
}

/** Mixes two pixels into one. */
function mixPixel(
  into: PackedRow,
  at: number,
  near: PackedRow,
  nearAt: number,
  far: PackedRow,
  farAt: number,
  weights: Weights,
): void {
  let [own, ofNear, ofFar] = weights;
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
  const [a, b, c] = [into.colour[at] | 0, near.colour[nearAt] | 0, far.colour[farAt] | 0];
  const light = SRGB8_TO_LINEAR;
  const red = own * light[a >> 16] + ofNear * light[b >> 16] + ofFar * light[c >> 16];
  const green =
    own * light[(a >> 8) & 255] + ofNear * light[(b >> 8) & 255] + ofFar * light[(c >> 8) & 255];
  const blue = own * light[a & 255] + ofNear * light[b & 255] + ofFar * light[c & 255];
  into.colour[at] = (encode(red) << 16) | (encode(green) << 8) | encode(blue);
}

/** Encodes a mean of levels' light, which is 0…1. */
const encode = (light: number) => SRGB8_BY_LIGHT[(light * (SRGB8_BY_LIGHT.length - 1) + 0.5) | 0];

/** Mixes as arrays, three weights each. */
interface MixSlice {
  readonly at: Int32Array;
  readonly near: Int32Array;
  readonly far: Int32Array;
  readonly weights: Float64Array;
}

/** Returns a function that returns those of the mixes, which are ordered, with `from` ≤ `at` < `to`. */
export function createMixSlicer(mixes: readonly Mix[]) {
  const at = Int32Array.from(mixes, (mix) => mix.at);
  const near = Int32Array.from(mixes, (mix) => mix.near);
  const far = Int32Array.from(mixes, (mix) => mix.far);
  const weights = Float64Array.from(mixes.flatMap((mix) => mix.weights));
  return (from: number, to: number): MixSlice => {
    const first = at.findIndex((place) => place >= from);
    const last = at.findLastIndex((place) => place < to) + 1;
    const [begin, end] = first < 0 ? [0, 0] : [first, last];
    return {
      at: at.subarray(begin, end),
      near: near.subarray(begin, end),
      far: far.subarray(begin, end),
      weights: weights.subarray(3 * begin, 3 * end),
    };
  };
}

/** Mixes pixels of a picture's row, which begins at `start`, into the pixels at `at` + `offset` of a row. */
export function mixColumns(
  into: PackedRow,
  offset: number,
  picture: PackedRow,
  start: number,
  { at, near, far, weights }: MixSlice,
): void {
  if (into.alpha !== null) {
    for (let k = 0; k < at.length; k++) {
      const ofPixel = [weights[3 * k], weights[3 * k + 1], weights[3 * k + 2]] as const;
      mixPixel(into, at[k] + offset, picture, start + near[k], picture, start + far[k], ofPixel);
    }
    return;
  }
  const light = SRGB8_TO_LINEAR;
  for (let k = 0, w = 0; k < at.length; k++, w += 3) {
    const own = weights[w];
    const ofNear = weights[w + 1];
    const ofFar = weights[w + 2];
    const a = into.colour[at[k] + offset] | 0;
    const b = picture.colour[start + near[k]] | 0;
    const c = picture.colour[start + far[k]] | 0;
    const red = own * light[a >> 16] + ofNear * light[b >> 16] + ofFar * light[c >> 16];
    const green =
      own * light[(a >> 8) & 255] + ofNear * light[(b >> 8) & 255] + ofFar * light[(c >> 8) & 255];
    const blue = own * light[a & 255] + ofNear * light[b & 255] + ofFar * light[c & 255];
    into.colour[at[k] + offset] = (encode(red) << 16) | (encode(green) << 8) | encode(blue);
  }
}

/** Returns a function that mixes two rows into a third one of the same length. */
export function createRowMixer() {
  /** The light of each level times the weight of a row. */
  const ofOwn = new Float64Array(256);
  const ofNear = new Float64Array(256);
  const ofFar = new Float64Array(256);
  return (into: PackedRow, near: PackedRow, far: PackedRow, weights: Weights): void => {
    const { length } = into.colour;
    if (into.alpha !== null) {
      for (let at = 0; at < length; at++) mixPixel(into, at, near, at, far, at, weights);
      return;
    }
    for (let level = 0; level < 256; level++) {
      ofOwn[level] = weights[0] * SRGB8_TO_LINEAR[level];
      ofNear[level] = weights[1] * SRGB8_TO_LINEAR[level];
      ofFar[level] = weights[2] * SRGB8_TO_LINEAR[level];
    }
    const [own, ones, others] = [into.colour, near.colour, far.colour];
    for (let at = 0; at < length; at++) {
      const a = own[at] | 0;
      const b = ones[at] | 0;
      const c = others[at] | 0;
      const red = ofOwn[a >> 16] + ofNear[b >> 16] + ofFar[c >> 16];
      const green = ofOwn[(a >> 8) & 255] + ofNear[(b >> 8) & 255] + ofFar[(c >> 8) & 255];
      const blue = ofOwn[a & 255] + ofNear[b & 255] + ofFar[c & 255];
      own[at] = (encode(red) << 16) | (encode(green) << 8) | encode(blue);
    }
  };
}
