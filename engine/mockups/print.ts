/** A pattern as it is printed: looked up by millimetres, through the outline of a pixel. */
import type { Level, Pyramid } from "./pyramid.ts";
import { ONE } from "./pyramid.ts";

/** Probes along the longer axis of a pixel's outline, at most: what is seen more obliquely blurs. */
const MOST_PROBES = 16;

/** Levels by which a pixel looks finer than its own size, because texels between levels blur. */
const SHARPER = 0.35;

/** How a pixel's outline lies on the print: millimetres for one pixel to the right and one down. */
export interface Outline {
  ux: number;
  uy: number;
  vx: number;
  vy: number;
}

export interface Print {
  /**
   * Writes red, green and blue (linear light, premultiplied) and alpha, all 0…1, into `into`.
   * @param u millimetres right of the print's left edge
   * @param v millimetres below its top edge
   */
  lookUp(u: number, v: number, outline: Outline, into: Float64Array): void;
}

export interface PrintSize {
  /** Millimetres that the pyramid's picture covers. */
  readonly width: number;
  readonly height: number;
  /** Whether it goes on beyond them; otherwise its edge does. */
  readonly repeats: boolean;
}

/** Lays a picture out in millimetres. */
export function printOf(pyramid: Pyramid, { width, height, repeats }: PrintSize): Print {
  const acrossMm = pyramid[0].width / width;
  const downMm = pyramid[0].height / height;
  const last = pyramid.length - 1;
  return {
    lookUp(u, v, outline, into) {
      // In texels of the largest level; the outline's ellipse has the axes of J·Jᵀ.
      const ux = outline.ux * acrossMm;
      const uy = outline.uy * acrossMm;
      const vx = outline.vx * downMm;
      const vy = outline.vy * downMm;
      const a = ux * ux + uy * uy;
      const b = ux * vx + uy * vy;
      const c = vx * vx + vy * vy;
      const spread = Math.sqrt(0.25 * (a - c) * (a - c) + b * b);
      const middle = 0.5 * (a + c);
      const long = Math.sqrt(middle + spread);
      const short = Math.max(Math.sqrt(Math.max(middle - spread, 0)), long / MOST_PROBES, 1e-6);
      const probes = Math.min(MOST_PROBES, Math.max(1, Math.ceil(long / short - 0.2)));
      const fine = Math.log2(Math.max(short, (0.9 * long) / probes)) - SHARPER;
      const detail = Math.min(Math.max(fine, 0), last);

      // The unit vector of the longer axis; a round outline has none and needs none.
      let alongU = middle + spread - c;
      let alongV = b;
      if (a < c) {
        alongU = b;
        alongV = middle + spread - a;
      }
      const length = Math.hypot(alongU, alongV);
      const step = probes === 1 || length === 0 ? 0 : long / probes / length;
      const stepU = (alongU * step) / acrossMm / width;
      const stepV = (alongV * step) / downMm / height;

      into.fill(0);
      const level = Math.min(Math.floor(detail), last);
      const far = detail - level;
      let s = u / width - 0.5 * (probes - 1) * stepU;
      let t = v / height - 0.5 * (probes - 1) * stepV;
      for (let probe = 0; probe < probes; probe++, s += stepU, t += stepV) {
        addTexels(pyramid[level], s, t, repeats, (1 - far) / probes / ONE, into);
        if (far > 0) addTexels(pyramid[level + 1], s, t, repeats, far / probes / ONE, into);
      }
    },
  };
}

/** Adds what a level shows at a point (0…1 across and down), between its texels, times a weight. */
function addTexels(
  { width, height, texels }: Level,
  s: number,
  t: number,
  repeats: boolean,
  weight: number,
  into: Float64Array,
): void {
  const x = (repeats ? s - Math.floor(s) : Math.min(Math.max(s, 0), 1)) * width - 0.5;
  const y = (repeats ? t - Math.floor(t) : Math.min(Math.max(t, 0), 1)) * height - 0.5;
  const column = Math.floor(x);
  const row = Math.floor(y);
  const right = x - column;
  const lower = y - row;
  let left = column;
  let next = column + 1;
  let upper = row;
  let below = row + 1;
  if (left < 0) left = repeats ? width - 1 : 0;
  if (next >= width) next = repeats ? 0 : width - 1;
  if (upper < 0) upper = repeats ? height - 1 : 0;
  if (below >= height) below = repeats ? 0 : height - 1;
  const a = 4 * (upper * width + left);
  const b = 4 * (upper * width + next);
  const c = 4 * (below * width + left);
  const d = 4 * (below * width + next);
  const wa = weight * (1 - right) * (1 - lower);
  const wb = weight * right * (1 - lower);
  const wc = weight * (1 - right) * lower;
  const wd = weight * right * lower;
  into[0] += wa * texels[a] + wb * texels[b] + wc * texels[c] + wd * texels[d];
  into[1] += wa * texels[a + 1] + wb * texels[b + 1] + wc * texels[c + 1] + wd * texels[d + 1];
  into[2] += wa * texels[a + 2] + wb * texels[b + 2] + wc * texels[c + 2] + wd * texels[d + 2];
  into[3] += wa * texels[a + 3] + wb * texels[b + 3] + wc * texels[c + 3] + wd * texels[d + 3];
}
