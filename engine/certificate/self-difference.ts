/** Differences between a picture and its image under an affine map of it. */

import { type Affine, compose, scaling, translation } from "../geometry/affine.ts";
import type { ByteImage } from "../image/picture.ts";
import type { Size } from "../size.ts";
import { commonDivisor } from "./lattice.ts";
import { type LocalError, localError } from "./local-error.ts";
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
  /** Returns how well single pixels agree with a map; memoised. */
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
    local: once((map) => localError(planes, map)),
    agreement: once((map) => pixelAgreement(image, map)),
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

/** Root mean square differences of single pixels from their images, in 8-bit steps. */
export interface PixelAgreement {
  /** With the origin moved so that pixels map to pixels; null if no origin does that. */
  readonly onGrid: number | null;
  /** With the fitted origin, between pixels; null if that origin maps pixels to pixels. */
  readonly offGrid: number | null;
  /** The map of pixel indices with the fitted origin; null if that does not map pixels to pixels. */
  readonly map: Affine | null;
}

/** Distance in pixels within which a fitted origin counts as on the grid. */
const ON_GRID = 0.2;
/** Pixels to sample when choosing between neighbouring positions on the grid. */
const TRIAL_PIXELS = 4000;
/** Pixels to sample for the agreement. */
const AGREEMENT_PIXELS = 100_000;
/** Pictures of more pixels are compared in evenly spaced rows, of about `COMPARED_ROW_PIXELS`. */
const MAX_COMPARED_PIXELS = 4096 ** 2;
const COMPARED_ROW_PIXELS = 2048 ** 2;
/** Pixels to compare with interpolated values. */
const INTERPOLATED_PIXELS = 60_000;

/** Measures the agreement of a picture with its image under a map of fractions, on a sample of its pixels. */
function pixelAgreement(image: ByteImage, map: Affine): PixelAgreement {
  const index = pixelIndexMap(image, map);
  const near = gridAlignedMaps(index).map((candidate) => ({
    map: candidate,
    rms: rmsOnGrid(image, candidate, TRIAL_PIXELS),
  }));
  if (near.length === 0) {
    return { onGrid: null, offGrid: compareInterpolated(image, index).rms, map: null };
  }
  const best = near.reduce((least, one) => (one.rms < least.rms ? one : least)).map;
  const nearest = near[0]?.map ?? best;
  const isOnGrid = Math.max(Math.abs(nearest.e - index.e), Math.abs(nearest.f - index.f)) < ON_GRID;
  return {
    onGrid: rmsOnGrid(image, best, AGREEMENT_PIXELS),
    offGrid: isOnGrid ? null : compareInterpolated(image, index).rms,
    map: isOnGrid ? best : null,
  };
}

/**
 * Compares a picture with its image under a map of fractions of it: all pixels if the map takes pixel
 * centres to pixel centres, otherwise a sample of them with Catmull–Rom interpolated values.
 */
export function pixelError(
  image: ByteImage,
  map: Affine,
  { map: onGrid }: PixelAgreement,
): PixelError {
  if (onGrid === null) return compareInterpolated(image, pixelIndexMap(image, map));
  return comparePixels(image, onGrid);
}

function comparePixels(image: ByteImage, { a, b, c, d, e, f }: Affine): PixelError {
  const { width, height, channels, pixels } = image;
  const step =
    width * height <= MAX_COMPARED_PIXELS ? 1 : Math.ceil((width * height) / COMPARED_ROW_PIXELS);
  let [max, sum, count] = [0, 0, 0];
  for (let j = 0; j < height; j += step) {
    let x = modulo(b * j + e, width);
    let y = modulo(d * j + f, height);
    const [dx, dy] = [modulo(a, width), modulo(c, height)];
    let here = j * width * channels;
    for (let i = 0; i < width; i++) {
      const there = (y * width + x) * channels;
      for (let k = 0; k < channels; k++) {
        const difference = pixels[here + k] - pixels[there + k];
        if (difference !== 0) {
          sum += difference * difference;
          max = Math.max(max, Math.abs(difference));
        }
      }
      here += channels;
      x += dx;
      if (x >= width) x -= width;
      y += dy;
      if (y >= height) y -= height;
    }
    count += width * channels;
  }
  return { max, rms: Math.sqrt(sum / count), exact: true };
}

/** Returns the root mean square difference on the grid, of about `most` pixels. */
function rmsOnGrid(image: ByteImage, { a, b, c, d, e, f }: Affine, most: number): number {
  const { width, height, channels, pixels } = image;
  let [sum, count] = [0, 0];
  for (const pixel of sampledPixels(image, most)) {
    const i = pixel % width;
    const j = (pixel - i) / width;
    const x = modulo(a * i + b * j + e, width);
    const y = modulo(c * i + d * j + f, height);
    const here = pixel * channels;
    const there = (y * width + x) * channels;
    for (let k = 0; k < channels; k++) {
      const difference = pixels[here + k] - pixels[there + k];
      sum += difference * difference;
    }
    count += channels;
  }
  return Math.sqrt(sum / count);
}

function compareInterpolated(image: ByteImage, { a, b, c, d, e, f }: Affine): PixelError {
  const { width, height, channels, pixels } = image;
  const columns = new Int32Array(4);
  const [across, down] = [new Float64Array(4), new Float64Array(4)];
  const value = new Float64Array(channels);
  let [max, sum, count] = [0, 0, 0];
  for (const pixel of sampledPixels(image, INTERPOLATED_PIXELS)) {
    const i = pixel % width;
    const j = (pixel - i) / width;
    const x = a * i + b * j + e;
    const y = c * i + d * j + f;
    const [left, top] = [Math.floor(x), Math.floor(y)];
    writeCubicWeights(x - left, across);
    writeCubicWeights(y - top, down);
    for (let n = 0; n < 4; n++) columns[n] = modulo(left - 1 + n, width) * channels;
    value.fill(0);
    for (let m = 0; m < 4; m++) {
      const row = modulo(top - 1 + m, height) * width * channels;
      for (let n = 0; n < 4; n++) {
        const weight = down[m] * across[n];
        const at = row + columns[n];
        for (let k = 0; k < channels; k++) {
          value[k] += weight * pixels[at + k];
        }
      }
    }
    for (let k = 0; k < channels; k++) {
      const inGamut = Math.min(255, Math.max(0, value[k]));
      const difference = Math.abs(pixels[pixel * channels + k] - inGamut);
      sum += difference * difference;
      max = Math.max(max, difference);
    }
    count += channels;
  }
  return { max, rms: Math.sqrt(sum / count), exact: false };
}

/** Writes the Catmull–Rom weights of four neighbours; t is the position between the middle two, 0…1. */
function writeCubicWeights(t: number, into: Float64Array): void {
  into[0] = ((-t + 2) * t - 1) * t * 0.5;
  into[1] = ((3 * t - 5) * t * t + 2) * 0.5;
  into[2] = ((-3 * t + 4) * t + 1) * t * 0.5;
  into[3] = (t - 1) * t * t * 0.5;
}

/** Modulo of an integer; the bitwise operator lets V8 divide integers, which `%` alone does not. */
function modulo(value: number, size: number): number {
  const rest = (value | 0) % size;
  return rest < 0 ? rest + size : rest;
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
 * Returns the indices of about `most` pixels, spread evenly by the golden ratio so that they are in step
 * with no period; of all pixels in order if there are no more.
 */
export function sampledPixels({ width, height }: Size, most: number): Uint32Array {
  const count = width * height;
  const step = count <= most ? 1 : coprime(Math.round(count * GOLDEN), count);
  const indices = new Uint32Array(Math.min(count, most));
  for (let n = 0, at = 0; n < indices.length; n++) {
    indices[n] = at;
    at += step;
    if (at >= count) at -= count;
  }
  return indices;
}

/** Returns the least number from `start` that is coprime to another, so that no column is skipped. */
function coprime(start: number, other: number): number {
  let number = start;
  while (commonDivisor(number, other) !== 1) number++;
  return number;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;
