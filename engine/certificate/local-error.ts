/** Local error: the difference between a picture and its image, averaged over patches. */
import { type Affine, compose, type Point, scaling, translation } from "../geometry/affine.ts";
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

/** Number of patches across and down. */
function patchesOf({ width, height, pixels }: Omit<SamplePlanes, "channels">) {
  const along = (samples: number, pixels: number) =>
    Math.max(1, Math.floor(samples / Math.max(MIN_SAMPLES, (PATCH_SIDE * samples) / pixels)));
  return { across: along(width, pixels.width), down: along(height, pixels.height) };
}

/** Returns the size of a patch in pixels of the image. */
export function patchSize(planes: Omit<SamplePlanes, "channels">) {
  const { across, down } = patchesOf(planes);
  return { width: planes.pixels.width / across, height: planes.pixels.height / down };
}

/** Returns the largest local difference between a picture and its image under a map of fractions. */
export function localError(planes: SamplePlanes, map: Affine): LocalError {
  const { width, height, channels, pixels } = planes;
  const { across, down } = patchesOf(planes);
  const sums = channels.map(() => new Float64Array(across * down));
  const counts = new Float64Array(across * down);
  const toIndex = compose(translation(-0.5, -0.5), scaling(width, height));
  const toFraction = compose(scaling(1 / width, 1 / height), translation(0.5, 0.5));
  const m = compose(toIndex, map, toFraction);
  const patchOf = Int32Array.from({ length: width }, (_, i) => Math.floor((i * across) / width));
  for (let j = 0; j < height; j++) {
    const row = Math.floor((j * down) / height) * across;
    for (let i = 0; i < width; i++) {
      const patch = row + patchOf[i];
      counts[patch] += 1;
      const x = m.a * i + m.b * j + m.e;
      const y = m.c * i + m.d * j + m.f;
      // The offset keeps rounding from selecting the neighbour of an exact sample.
      const left = Math.floor(x + 1e-7);
      const top = Math.floor(y + 1e-7);
      const [p, q] = [Math.max(0, x - left), Math.max(0, y - top)];
      const column = modulo(left, width);
      const next = column + 1 === width ? 0 : column + 1;
      const line = modulo(top, height);
      const first = line * width;
      const second = line + 1 === height ? 0 : first + width;
      const onSample = p < 1e-6 && q < 1e-6;
      for (let c = 0; c < channels.length; c++) {
        const plane = channels[c];
        let value = plane[first + column];
        if (!onSample) {
          const upper = value + (plane[first + next] - value) * p;
          const under = plane[second + column];
          const lower = under + (plane[second + next] - under) * p;
          value = upper + (lower - upper) * q;
        }
        sums[c][patch] += value - plane[j * width + i];
      }
    }
  }
  let worst = 0;
  let error = 0;
  const [reds, greens, blues, alphas] = sums;

  counts.forEach((count, patch) => {
    const [red, green, blue] = [reds[patch], greens[patch], blues[patch]];
    const brightness = LUMA_WEIGHTS[0] * red + LUMA_WEIGHTS[1] * green + LUMA_WEIGHTS[2] * blue;
    const colour = Math.max(Math.abs(red - brightness), Math.abs(blue - brightness));
    const alpha = alphas === undefined ? 0 : Math.abs(alphas[patch]);
    const mean = Math.max(Math.abs(brightness), colour / COLOUR_DIVISOR, alpha) / count;
    if (mean > error) [worst, error] = [patch, mean];
  });
  return {
    error,
    at: {
      x: (((worst % across) + 0.5) / across) * pixels.width,
      y: ((Math.floor(worst / across) + 0.5) / down) * pixels.height,
    },
  };
}

/** Modulo of an integer, with a fast path for values in range. */
function modulo(value: number, size: number): number {
  return value >= 0 && value < size ? value : ((value % size) + size) % size;
}
