/** Differences between a picture and its image under an affine map of it. */

import { type Affine, compose, scaling, translation } from "../geometry/affine.ts";
import type { ByteImage } from "../image/picture.ts";
import type { Size } from "../size.ts";
import { type LocalError, localErrorsOf } from "./local-error.ts";
import type { SamplePlanes } from "./planes.ts";
import { LOCAL_ERROR_SHARE, MIN_LOCAL_TOLERANCE } from "./tolerance.ts";

/** Compares a picture with its images under maps of fractions of it. */
export interface SelfDifference {
  readonly planes: SamplePlanes;
  /** Root mean square of the pixels about their mean, in 8-bit steps. */
  readonly deviation: number;
  /** Largest local error at which an operation holds, in 8-bit steps. */
  readonly localTolerance: number;
  /** Returns the local error of a map; memoised. */
  local(map: Affine): LocalError;
  /** Returns how well single pixels agree with a map, on a sample of them; memoised. */
  agreement(map: Affine): PixelAgreement;
}

/** Prepares comparisons of a picture; `deviation` is in 8-bit steps. */
export function selfDifferenceOf(
  planes: SamplePlanes,
  image: ByteImage,
  deviation: number,
): SelfDifference {
  return {
    planes,
    deviation,
    localTolerance: Math.max(MIN_LOCAL_TOLERANCE, LOCAL_ERROR_SHARE * deviation),
    local: once(localErrorsOf(planes)),
    agreement: once(pixelAgreementsOf(image)),
  };
}

function once<Value>(compute: (map: Affine) => Value): (map: Affine) => Value {
  const known = new WeakMap<Affine, Value>();
  return (map) => {
    const value = known.get(map) ?? compute(map);
    known.set(map, value);
    return value;
  };
}

export interface PixelError {
  /** Largest and root mean square difference, over all channels, in 8-bit steps. */
  readonly max: number;
  readonly rms: number;
  /** Whether pixels were compared with pixels rather than with interpolated values. */
  readonly exact: boolean;
}

/** Differences of single pixels from their images under a map. */
export type PixelAgreement =
  /** The map takes pixel centres to pixel centres. */
  | {
      /** Root mean square in 8-bit steps. */
      readonly onGrid: number;
      readonly offGrid: null;
      /** The map of pixel indices. */
      readonly map: Affine;
    }
  | {
      /** With the origin moved so that pixels map to pixels; null if no origin does that. */
      readonly onGrid: number | null;
      /** With the fitted origin, from interpolated values. */
      readonly offGrid: PixelError;
      readonly map: null;
    };

/** Distance in pixels within which a fitted origin counts as on the grid. */
const ON_GRID = 0.2;
/** Pixels to sample when choosing between neighbouring positions on the grid. */
const TRIAL_PIXELS = 4000;
/** Pixels to sample for the agreement. */
const AGREEMENT_PIXELS = 50_000;
/** Pictures of more pixels are compared in evenly spaced rows, of about `COMPARED_ROW_PIXELS`. */
const MAX_COMPARED_PIXELS = 4096 ** 2;
const COMPARED_ROW_PIXELS = 2048 ** 2;
/** Pixels to compare with interpolated values. */
const INTERPOLATED_PIXELS = 30_000;

/**
 * Returns a function that measures the agreement of a picture with its image under a map of fractions,
 * on a sample of its pixels.
 */
function pixelAgreementsOf(image: ByteImage): (map: Affine) => PixelAgreement {
  const trial = samplePixels(image, TRIAL_PIXELS);
  const sample = samplePixels(image, AGREEMENT_PIXELS);
  const interpolated = samplePixels(image, INTERPOLATED_PIXELS);
  return (map) => {
    const index = pixelIndexMap(image, map);
    const near = gridAlignedMaps(index).map((candidate) => ({
      map: candidate,
      rms: rmsOnGrid(image, candidate, trial),
    }));
    if (near.length === 0) {
      return { onGrid: null, offGrid: compareInterpolated(image, index, interpolated), map: null };
    }
    const best = near.reduce((least, one) => (one.rms < least.rms ? one : least)).map;
    const onGrid = rmsOnGrid(image, best, sample);
    const nearest = near[0]?.map ?? best;
    const away = Math.max(Math.abs(nearest.e - index.e), Math.abs(nearest.f - index.f));
    if (away < ON_GRID) return { onGrid, offGrid: null, map: best };
    return { onGrid, offGrid: compareInterpolated(image, index, interpolated), map: null };
  };
}

/**
 * Compares a picture with its image under a map: all pixels if the map takes pixel centres to pixel
 * centres, otherwise a sample of them with Catmull–Rom interpolated values.
 */
export function pixelError(image: ByteImage, { map, offGrid }: PixelAgreement): PixelError {
  return map === null ? offGrid : comparePixels(image, map);
}

function comparePixels(image: ByteImage, { a, b, c, d, e, f }: Affine): PixelError {
  const { width, height, channels, pixels } = image;
  const step =
    width * height <= MAX_COMPARED_PIXELS ? 1 : Math.ceil((width * height) / COMPARED_ROW_PIXELS);
  const dx = modulo(a, width);
  const dy = modulo(c, height);
  let [max, sum, count] = [0, 0, 0];
  for (let j = 0; j < height; j += step) {
    let x = modulo(b * j + e, width);
    let y = modulo(d * j + f, height);
    const end = (j + 1) * width * channels;
    for (let here = j * width * channels; here < end; here += channels) {
      const there = (y * width + x) * channels;
      const red = pixels[here] - pixels[there];
      const green = pixels[here + 1] - pixels[there + 1];
      const blue = pixels[here + 2] - pixels[there + 2];
      const alpha = channels === 4 ? pixels[here + 3] - pixels[there + 3] : 0;
      if ((red | green | blue | alpha) !== 0) {
        sum += red * red + green * green + blue * blue + alpha * alpha;
        max = Math.max(max, Math.abs(red), Math.abs(green), Math.abs(blue), Math.abs(alpha));
      }
      x += dx;
      if (x >= width) x -= width;
      y += dy;
      if (y >= height) y -= height;
    }
    count += width * channels;
  }
  return { max, rms: Math.sqrt(sum / count), exact: true };
}

/** Returns the root mean square difference of a sample of pixels under a map of pixel indices. */
function rmsOnGrid(image: ByteImage, { a, b, c, d, e, f }: Affine, sample: Uint32Array): number {
  const { width, height, channels, pixels } = image;
  let sum = 0;
  for (let n = 0; n < sample.length; n++) {
    const pixel = sample[n];
    const j = (pixel / width) | 0;
    const i = pixel - j * width;
    const x = modulo(a * i + b * j + e, width);
    const y = modulo(c * i + d * j + f, height);
    const here = pixel * channels;
    const there = (y * width + x) * channels;
    for (let k = 0; k < channels; k++) {
      const difference = pixels[here + k] - pixels[there + k];
      sum += difference * difference;
    }
  }
  return Math.sqrt(sum / sample.length / channels);
}

/** Compares a sample of pixels with the Catmull–Rom interpolated values that a map takes them to. */
function compareInterpolated(
  { width, height, channels, pixels }: ByteImage,
  { a, b, c, d, e, f }: Affine,
  sample: Uint32Array,
): PixelError {
  const columns = new Int32Array(4);
  const rows = new Int32Array(4);
  const [across, down] = [new Float64Array(4), new Float64Array(4)];
  let [max, sum] = [0, 0];
  for (let n = 0; n < sample.length; n++) {
    const pixel = sample[n];
    const j = (pixel / width) | 0;
    const i = pixel - j * width;
    const x = a * i + b * j + e;
    const y = c * i + d * j + f;
    const [left, top] = [Math.floor(x), Math.floor(y)];
    writeCubicWeights(x - left, across);
    writeCubicWeights(y - top, down);
    for (let tap = 0; tap < 4; tap++) {
      columns[tap] = modulo(left - 1 + tap, width) * channels;
      rows[tap] = modulo(top - 1 + tap, height) * width * channels;
    }
    for (let k = 0; k < channels; k++) {
      let value = 0;
      for (let tap = 0; tap < 4; tap++) {
        const at = rows[tap] + k;
        const line =
          across[0] * pixels[at + columns[0]] +
          across[1] * pixels[at + columns[1]] +
          across[2] * pixels[at + columns[2]] +
          across[3] * pixels[at + columns[3]];
        value += down[tap] * line;
      }
      const inGamut = Math.min(255, Math.max(0, value));
      const difference = Math.abs(pixels[pixel * channels + k] - inGamut);
      sum += difference * difference;
      max = Math.max(max, difference);
    }
  }
  return { max, rms: Math.sqrt(sum / sample.length / channels), exact: false };
}

/** Writes the Catmull–Rom weights of four neighbours; t is the position between the middle two, 0…1. */
function writeCubicWeights(t: number, into: Float64Array): void {
  into[0] = ((-t + 2) * t - 1) * t * 0.5;
  into[1] = ((3 * t - 5) * t * t + 2) * 0.5;
  into[2] = ((-3 * t + 4) * t + 1) * t * 0.5;
  into[3] = (t - 1) * t * t * 0.5;
}

/** Modulo of an integer, fast for values next to the range. */
function modulo(value: number, size: number): number {
  let rest = value;
  while (rest < 0) rest += size;
  while (rest >= size) rest -= size;
  return rest;
}

/** Distance from an integer that counts as rounding. */
const INTEGER_PRECISION = 1e-6;

/** Converts a map of fractions of a picture to a map of pixel indices. */
function pixelIndexMap({ width, height }: Size, map: Affine): Affine {
  return compose(
    translation(-0.5, -0.5),
    scaling(width, height),
    map,
    scaling(1 / width, 1 / height),
    translation(0.5, 0.5),
  );
}

/**
 * Returns the integer maps of pixel indices that differ from a map only in the origin, by about a pixel
 * at most, nearest first; none if no origin aligns it with the grid. Only origins are fitted:
 * translations and glide vectors are exact.
 */
function gridAlignedMaps({ a, b, c, d, e, f }: Affine): Affine[] {
  const linear = { a: Math.round(a), b: Math.round(b), c: Math.round(c), d: Math.round(d) };
  const off = Math.abs(a - linear.a) + Math.abs(b - linear.b);
  if (off + Math.abs(c - linear.c) + Math.abs(d - linear.d) > INTEGER_PRECISION) return [];
  const near: { readonly map: Affine; readonly away: number }[] = [];
  for (let m = Math.round(e) - 1; m <= Math.round(e) + 1; m++) {
    for (let n = Math.round(f) - 1; n <= Math.round(f) + 1; n++) {
      const [x, y] = [m - e, n - f];
      if (isOriginShift(linear, x, y)) {
        near.push({ map: { ...linear, e: m, f: n }, away: Math.hypot(x, y) });
      }
    }
  }
  return near.sort((one, other) => one.away - other.away).map(({ map }) => map);
}

type Linear = Pick<Affine, "a" | "b" | "c" | "d">;

/** Whether (x, y) is o − A·o for an origin o. */
function isOriginShift({ a, b, c, d }: Linear, x: number, y: number): boolean {
  if (a * d - b * c < 0) {
    // An origin moves a reflection only perpendicular to its line.
    return Math.abs(x + a * x + b * y) + Math.abs(y + c * x + d * y) < INTEGER_PRECISION;
  }
  const isIdentity = a === 1 && d === 1;
  return !isIdentity || Math.abs(x) + Math.abs(y) < INTEGER_PRECISION;
}

/**
 * Returns the indices of about `most` pixels in ascending order, one at a place of its own in each of as
 * many equal parts of the picture, so that they are in step with no period; all if there are no more.
 */
export function samplePixels({ width, height }: Size, most: number): Uint32Array {
  const count = width * height;
  const indices = new Uint32Array(Math.min(count, most));
  if (count <= most) return indices.map((_, at) => at);
  for (let part = 0, place = 0; part < most; part++) {
    indices[part] = ((part + place) * count) / most;
    place += GOLDEN;
    if (place >= 1) place -= 1;
  }
  return indices;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;
