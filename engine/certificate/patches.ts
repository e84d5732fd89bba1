/** A flaw in one place: the difference of a picture and its image, patch by patch. */
import { type Affine, compose, type Point, scaling, translation } from "../geometry/affine.ts";
import type { Planes } from "./planes.ts";

export interface LocalError {
  /** Largest absolute mean difference of any channel over a patch, in 8-bit steps. */
  readonly error: number;
  /** Middle of that patch, in pixels of the swatch. */
  readonly at: Point;
}

/** Patches across and down; of at least so many samples, so that noise averages out. */
const MOST_PATCHES = 24;
const LEAST_SAMPLES = 8;
/** Rows of samples that are looked at; more would say no more about a patch. */
const ROWS = 256;

/** How many patches lie across and down. */
export function patchesOf({ width, height }: Pick<Planes, "width" | "height">) {
  const along = (samples: number) =>
    Math.max(1, Math.min(MOST_PATCHES, Math.floor(samples / LEAST_SAMPLES)));
  return { across: along(width), down: along(height) };
}

/** The largest local difference between a picture and its image under a map of fractions. */
export function localError(planes: Planes, map: Affine): LocalError {
  const { width, height, channels, pixels } = planes;
  const { across, down } = patchesOf(planes);
  const sums = channels.map(() => new Float64Array(across * down));
  const counts = new Float64Array(across * down);
  const toIndex = compose(translation(-0.5, -0.5), scaling(width, height));
  const toFraction = compose(scaling(1 / width, 1 / height), translation(0.5, 0.5));
  const m = compose(toIndex, map, toFraction);
  const patchOf = Int32Array.from({ length: width }, (_, i) => Math.floor((i * across) / width));
  for (let j = 0; j < height; j += Math.ceil(height / ROWS)) {
    const row = Math.floor((j * down) / height) * across;
    for (let i = 0; i < width; i++) {
      const patch = row + at(patchOf, i);
      counts[patch] = at(counts, patch) + 1;
      const x = m.a * i + m.b * j + m.e;
      const y = m.c * i + m.d * j + m.f;
      // Rounding must not make a neighbour of a sample that is hit exactly.
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
        const plane = channels[c] as Float32Array;
        let value = at(plane, first + column);
        if (!onSample) {
          const upper = value + (at(plane, first + next) - value) * p;
          const under = at(plane, second + column);
          const lower = under + (at(plane, second + next) - under) * p;
          value = upper + (lower - upper) * q;
        }
        const sum = sums[c] as Float64Array;
        sum[patch] = at(sum, patch) + value - at(plane, j * width + i);
      }
    }
  }
  let worst = 0;
  let error = 0;
  for (const sum of sums) {
    sum.forEach((value, patch) => {
      const mean = Math.abs(value) / at(counts, patch);
      if (mean > error) [worst, error] = [patch, mean];
    });
  }
  return {
    error,
    at: {
      x: (((worst % across) + 0.5) / across) * pixels.width,
      y: ((Math.floor(worst / across) + 0.5) / down) * pixels.height,
    },
  };
}

const at = (values: Float32Array | Float64Array | Int32Array, index: number) =>
  values[index] as number;

/** For whole numbers, most of which lie within already. */
function modulo(value: number, size: number): number {
  return value >= 0 && value < size ? value : ((value % size) + size) % size;
}
