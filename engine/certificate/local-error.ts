/** Local error: the difference between a picture and its image, averaged over patches. */
import {
  type Affine,
  compose,
  IDENTITY,
  type Point,
  scaling,
  translation,
} from "../geometry/affine.ts";
import { type PatchGrid, type PatchSums, picturePatches } from "./patch-sums.ts";
import type { SamplePlanes } from "./planes.ts";

/** The largest difference of a picture from its image in any patch. */
export interface LocalError {
  /**
   * Largest mean difference over a patch, in 8-bit steps: of luma, of alpha, or a third of the chroma
   * difference, because lossy compression degrades chroma first.
   */
  readonly error: number;
  /** Centre of that patch, in pixels of the image. */
  readonly at: Point;
}

/**
 * Side of a patch in pixels of the image: a flaw of twice that size fills at least one patch, and
 * the noise of grain and of JPEG at quality 30 averages out.
 */
const PATCH_SIDE = 12;
/** Least side of a patch in samples. */
const MIN_SAMPLES = 8;
/** Luma weights of ITU-R BT.601, as in JPEG. */
const LUMA_WEIGHTS = [0.299, 0.587, 0.114] as const;
/** Chroma difference that counts as much as a luma difference of 1. */
const COLOUR_DIVISOR = 3;
/** Mean difference that counts as rounding. */
const ROUNDING = 1e-6;

/** Number of patches across and down. */
function patchesOf({ width, height, pixels }: Omit<SamplePlanes, "channels">): PatchGrid {
  const along = (samples: number, pixels: number) =>
    Math.max(1, Math.floor(samples / Math.max(MIN_SAMPLES, (PATCH_SIDE * samples) / pixels)));
  return { across: along(width, pixels.width), down: along(height, pixels.height) };
}

/** Returns the size of a patch in pixels of the image. */
export function patchSize(planes: Omit<SamplePlanes, "channels">) {
  const { across, down } = patchesOf(planes);
  return { width: planes.pixels.width / across, height: planes.pixels.height / down };
}

/**
 * Returns a function that returns the largest local difference between a picture and its image under a
 * map of fractions.
 */
export function localErrorsOf(planes: SamplePlanes): (map: Affine) => LocalError {
  const { width, height, pixels } = planes;
  const patches = patchesOf(planes);
  const { counts, sumsOf } = picturePatches(planes, patches);
  const own = sumsOf(IDENTITY);
  const toIndex = compose(translation(-0.5, -0.5), scaling(width, height));
  const toFraction = compose(scaling(1 / width, 1 / height), translation(0.5, 0.5));

  return (map) => {
    const moved = sumsOf(compose(toIndex, map, toFraction));
    let worst = 0;
    let error = 0;
    for (let patch = 0; patch < counts.length; patch++) {
      const mean = differenceOf(moved, own, patch) / counts[patch];
      if (mean > error + ROUNDING) [worst, error] = [patch, mean];
    }
    return {
      error,
      at: {
        x: (((worst % patches.across) + 0.5) / patches.across) * pixels.width,
        y: ((Math.floor(worst / patches.across) + 0.5) / patches.down) * pixels.height,
      },
    };
  };
}

/** Returns the difference of the sums over a patch, weighted as `LocalError.error`. */
function differenceOf(one: PatchSums, other: PatchSums, patch: number): number {
  const of = (channel: number) => one[channel][patch] - other[channel][patch];
  const [red, green, blue] = [of(0), of(1), of(2)];
  const alpha = one.length === 4 ? of(3) : 0;
  const brightness = LUMA_WEIGHTS[0] * red + LUMA_WEIGHTS[1] * green + LUMA_WEIGHTS[2] * blue;
  const colour = Math.max(Math.abs(red - brightness), Math.abs(blue - brightness));
  return Math.max(Math.abs(brightness), colour / COLOUR_DIVISOR, Math.abs(alpha));
}
