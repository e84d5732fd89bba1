/** Samples cloth in a block of 4 × 4 texels that contains a fold's edge, or the cloth's own. */
import { clamp } from "../scalars.ts";
import type { ClothMap } from "./cloth-map.ts";
import { type ClothPoint, LAYER, type Layer, PLANES } from "./cloth-point.ts";
import { DISCONTINUITY } from "./depth-discontinuities.ts";

/** Regularises slopes where too few texels determine them. */
const RIDGE = 0.02;

/** Millimetres that a print keeps from its far edges, where its next repeat would begin. */
const SELVEDGE = 0.01;

/**
 * Minimum share of cloth in the block: small, because products draw the cloth's own edge more
 * finely.
 */
const LEAST = 0.1;

/** Samples a point `s`, `t` texels right of and below (column, row) from the block around it. */
export type DiscontinuousLookup = (
  column: number,
  row: number,
  s: number,
  t: number,
  point: ClothPoint,
) => Layer;

/**
 * The block's texels are split into those connected with the nearest one and the others. The cubic
 * B-spline over both, whose level line is a smooth edge, decides which covers the point; a plane
 * through those texels extrapolates print and light.
 */
export function createDiscontinuousLookup(
  map: ClothMap,
  texels: Float32Array,
  discontinuities: Uint8Array,
): DiscontinuousLookup {
  const { columns, height, cloth } = map;
  const inFront = new Uint8Array(16);
  const weights = new Float64Array(16);
  // Weighted sums of each plane, of the planes times x, and times y.
  const sums = new Float64Array(3 * PLANES);
  return (column, row, s, t, point) => {
    const corner = (row - 1) * columns + column - 1;
    let nearest = -1;
    let known = 0;
    let front = 0;
    for (let k = 0; k < 16; k++) {
      weights[k] = spline(s, k & 3) * spline(t, k >> 2);
      const here = height[corner + (k >> 2) * columns + (k & 3)];
      if (Number.isNaN(here)) continue;
      known += weights[k];
      if (nearest < 0 || here > height[corner + (nearest >> 2) * columns + (nearest & 3)])
        nearest = k;
    }
    if (nearest < 0) return LAYER.none;
    spread(inFront, nearest, discontinuities, corner, columns);
    for (let k = 0; k < 16; k++) if (inFront[k] === 1) front += weights[k];
    // Negligible amounts of cloth behind, up to rounding, count to the front.
    const shows = front >= 0.5 * known || known - front < 1e-3;
    continued(point, shows ? 1 : 0, s, t, corner);
    if (known < LEAST) return LAYER.none;
    return shows ? LAYER.front : LAYER.behind;
  };

  /** Fits a plane to the texels of one side, by least squares with the spline's weights. */
  function continued(point: ClothPoint, side: number, s: number, t: number, corner: number): void {
    let w = 0;
    let wx = 0;
    let wy = 0;
    let wxx = RIDGE;
    let wxy = 0;
    let wyy = RIDGE;
    sums.fill(0);
    for (let k = 0; k < 16; k++) {
      const texel = corner + (k >> 2) * columns + (k & 3);
      if (inFront[k] !== side || Number.isNaN(height[texel])) continue;
      const weight = weights[k] + 1e-6;
      const x = (k & 3) - 1 - s;
      const y = (k >> 2) - 1 - t;
      w += weight;
      wx += weight * x;
      wy += weight * y;
      wxx += weight * x * x;
      wxy += weight * x * y;
      wyy += weight * y * y;
      for (let plane = 0; plane < PLANES; plane++) {
        const value = weight * texels[texel * PLANES + plane];
        sums[plane] += value;
        sums[PLANES + plane] += value * x;
        sums[2 * PLANES + plane] += value * y;
      }
    }
    // Cramer's rule for the plane's value at the place itself.
    const a = wxx * wyy - wxy * wxy;
    const b = wxy * wy - wx * wyy;
    const c = wx * wxy - wxx * wy;
    const whole = w * a + wx * b + wy * c;
    const value = (plane: number) =>
      (sums[plane] * a + sums[PLANES + plane] * b + sums[2 * PLANES + plane] * c) / whole;
    point.u = clamp(value(0), 0, cloth.width - SELVEDGE);
    point.v = clamp(value(1), 0, cloth.height - SELVEDGE);
    point.shading = Math.max(0.02, value(2));
    point.highlight = Math.max(0, value(3));
  }
}

/** Marks the texels of a block that are connected with the one at `from`. */
function spread(
  marks: Uint8Array,
  from: number,
  discontinuities: Uint8Array,
  corner: number,
  columns: number,
): void {
  marks.fill(0);
  marks[from] = 1;
  // Any two corners of the block are at most seven steps apart.
  for (let changed = true; changed; ) {
    changed = false;
    for (let k = 0; k < 16; k++) {
      const bits = discontinuities[corner + (k >> 2) * columns + (k & 3)];
      if ((k & 3) < 3 && (bits & DISCONTINUITY.right) === 0 && marks[k] !== marks[k + 1]) {
        marks[k] = marks[k + 1] = 1;
        changed = true;
      }
      if (k < 12 && (bits & DISCONTINUITY.below) === 0 && marks[k] !== marks[k + 4]) {
        marks[k] = marks[k + 4] = 1;
        changed = true;
      }
    }
  }
}

/** Weight of the k-th of four neighbours at `t` between the second and the third. */
function spline(t: number, k: number): number {
  if (k === 0) return (1 - t) ** 3 / 6;
  if (k === 1) return (4 + t * t * (3 * t - 6)) / 6;
  if (k === 2) return (1 + t * (3 + t * (3 - 3 * t))) / 6;
  return t ** 3 / 6;
}
