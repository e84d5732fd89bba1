/**
 * A quasicrystal of waves: at each point of the plane, n plane waves with directions evenly spread over
 * a turn add up to a complex number, which is looked up in the source (F. Farris, "Creating Symmetry",
 * 2015, ch. 18). Waves in n = 5 or n > 6 directions have no common period.
 */

import { randomSequence } from "../../shaders/lib/random.ts";
import type { Affine, Point } from "../geometry/affine.ts";
import type { Aperiodic, Design, SourceBytes } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";
import { fillOf } from "./fill.ts";
import { inChunks } from "./in-chunks.ts";
import type { SheetRows } from "./surface.ts";

interface Wave {
  /** Wave vector in radians per edge. */
  readonly x: number;
  readonly y: number;
  readonly phase: number;
  /** Displacement in the source by its cosine and by its sine. */
  readonly cosine: Point;
  readonly sine: Point;
}

/** A sum of n waves of length 1 seldom leaves the circle of radius 1.6 · √n. */
const USUAL = 1.6;

/**
 * Returns the waves of n directions. For odd n the sum of exp(i k·x) is complex. For even n the waves
 * form opposite pairs with a real sum: a second star, rotated by half a step, yields the other
 * coordinate.
 */
function wavesOf({ n, seed }: Pick<Aperiodic, "n" | "seed">): Wave[] {
  const random = randomSequence(seed, 0x9c);
  // One shift of the plane for all waves preserves the centres of n-fold symmetry.
  const shift = { x: 1000 * random(), y: 1000 * random() };
  const share = 1 / (USUAL * Math.sqrt(n));
  const stars =
    n % 2 === 1
      ? [{ turn: 0, cosine: { x: share, y: 0 }, sine: { x: 0, y: share } }]
      : [
          { turn: 0, cosine: { x: share, y: 0 }, sine: { x: 0, y: 0 } },
          { turn: Math.PI / n, cosine: { x: 0, y: share }, sine: { x: 0, y: 0 } },
        ];
  return stars.flatMap(({ turn, cosine, sine }) =>
    Array.from({ length: n }, (_, index) => {
      const angle = (2 * Math.PI * index) / n + turn;
      const [x, y] = [Math.cos(angle) * Math.PI, Math.sin(angle) * Math.PI];
      return { x, y, phase: shift.x * x + shift.y * y, cosine, sine };
    }),
  );
}

/** The range of the waves' sum, as a shape to place the source in. */
export const WAVES_BOX: readonly Point[] = [
  { x: -1, y: -1 },
  { x: 1, y: -1 },
  { x: 1, y: 1 },
  { x: -1, y: 1 },
];

const WHOLE = { variation: "none", seed: 0, reach: 0 } as const;

export interface QuasicrystalSheet {
  readonly design: Design;
  readonly source: SourceBytes;
  readonly aperiodic: Aperiodic;
  /** Pixels. */
  readonly width: number;
  /** Map from pixels to the plane, in edges. */
  readonly toPlane: Affine;
  /** Pixels. */
  readonly edge: number;
}

/** Starts a sheet. Rejects with `SourceUnreadable` or `SourceTooLarge`. */
export async function startQuasicrystal(
  context: RenderContext,
  { design, source, aperiodic, width, toPlane, edge }: QuasicrystalSheet,
): Promise<SheetRows> {
  const waves = wavesOf(aperiodic);
  // About the largest change of the sum from pixel to pixel.
  const perPixel = Math.PI / USUAL / edge;
  const fill = await fillOf(context, design, source, WAVES_BOX, perPixel, WHOLE);
  const { a, b, c, d, e, f } = fill.place;
  return {
    rows(first, count) {
      const total = width * count;
      const u = new Float32Array(total);
      const v = new Float32Array(total);
      for (let row = 0; row < count; row++) {
        addWaves(waves, toPlane, width, first + row, u, v, row * width);
      }
      if (aperiodic.fill !== "image") quantise(u, v);
      const place = (x: Float32Array, y: Float32Array, from: number, part: number) => {
        for (let k = 0; k < part; k++) {
          const pu = u[from + k];
          const pv = v[from + k];
          x[k] = a * pu + b * pv + e;
          y[k] = c * pu + d * pv + f;
        }
      };
      return inChunks(context, total, place, fill.sample);
    },
    end: () => fill.end?.(),
  };
}

/** Levels of plain colours across the box. */
const LEVELS = 7;

/** Quantises both coordinates to the middles of `LEVELS` steps: flat areas with crisp borders. */
function quantise(u: Float32Array, v: Float32Array): void {
  const highest = (LEVELS - 1) / 2;
  for (const values of [u, v]) {
    for (let k = 0; k < values.length; k++) {
      const level = Math.round((values[k] * LEVELS) / 2);
      values[k] = Math.min(Math.max(level, -highest), highest) / (LEVELS / 2);
    }
  }
}

/** Adds all waves along a row of pixels and compresses the sums into the box. */
function addWaves(
  waves: readonly Wave[],
  toPlane: Affine,
  width: number,
  row: number,
  u: Float32Array,
  v: Float32Array,
  offset: number,
): void {
  for (const { x, y, phase, cosine, sine } of waves) {
    const start =
      x * (toPlane.a * 0.5 + toPlane.b * (row + 0.5) + toPlane.e) +
      y * (toPlane.c * 0.5 + toPlane.d * (row + 0.5) + toPlane.f) +
      phase;
    const step = x * toPlane.a + y * toPlane.c;
    // Rotates the phase from pixel to pixel: a complex product instead of a cosine.
    const [turnRe, turnIm] = [Math.cos(step), Math.sin(step)];
    let re = Math.cos(start);
    let im = Math.sin(start);
    for (let k = offset; k < offset + width; k++) {
      u[k] = u[k] + cosine.x * re + sine.x * im;
      v[k] = v[k] + cosine.y * re + sine.y * im;
      const next = re * turnRe - im * turnIm;
      im = re * turnIm + im * turnRe;
      re = next;
    }
  }
  for (let k = offset; k < offset + width; k++) {
    u[k] = within(u[k]);
    v[k] = within(v[k]);
  }
}

/** A sigmoid with slope 1 at 0 that stays within ±1, the box that the source fills. */
const within = (value: number) => value / Math.sqrt(1 + value * value);
