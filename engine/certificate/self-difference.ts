/** Differences between a picture and its image under an affine map of it. */

import { type Affine, compose, scaling, translation } from "../geometry/affine.ts";
import type { ByteImage } from "../image/picture.ts";
import type { Size } from "../size.ts";
import { compareInterpolated, type PixelError, rmsOnGrid } from "./compare-pixels.ts";
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
    const [nearest, ...others] = gridAlignedMaps(index);
    if (nearest === undefined) {
      return { onGrid: null, offGrid: compareInterpolated(image, index, interpolated), map: null };
    }
    let best = nearest;
    let least = others.length > 0 ? rmsOnGrid(image, nearest, trial) : 0;
    for (const other of others) {
      if (least === 0) break;
      const rms = rmsOnGrid(image, other, trial);
      if (rms < least) [best, least] = [other, rms];
    }
    const onGrid = rmsOnGrid(image, best, sample);
    const away = Math.max(Math.abs(nearest.e - index.e), Math.abs(nearest.f - index.f));
    if (away < ON_GRID) return { onGrid, offGrid: null, map: best };
    return { onGrid, offGrid: compareInterpolated(image, index, interpolated), map: null };
  };
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
