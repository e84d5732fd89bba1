/**
 * Exact area coverage of pixels by a polygon: accumulates the signed areas to the right of its edges
 * along each row (the method of R. Levien's font-rs, 2016). If polygons tile the plane, their
 * coverages of a pixel add up to 1.
 */
import type { Point } from "../geometry/affine.ts";

/** Pixels left … right − 1 of rows top … bottom − 1. */
export interface PixelRect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Receives the covered pixels of a row; `coverage[k]` is that of pixel `left + k`. */
export type RowVisitor = (y: number, left: number, coverage: Float64Array, count: number) => void;

/** Returns a function that visits the rows of a block that a simple polygon covers. */
export function createCoverage(block: PixelRect) {
  const width = block.right - block.left;
  const areas = new Float64Array(width + 2);
  const coverage = new Float64Array(width);
  /** @param corners in pixels of the sheet, in either orientation */
  return (corners: readonly Point[], visit: RowVisitor): void => {
    const clipped = clipColumns(corners, block.left, block.right);
    if (clipped.length < 3) return;
    const ys = clipped.map(({ y }) => y);
    const top = Math.max(block.top, Math.floor(Math.min(...ys)));
    const bottom = Math.min(block.bottom, Math.ceil(Math.max(...ys)));
    for (let y = top; y < bottom; y++) {
      let least = width;
      let most = -1;
      for (let k = 0; k < clipped.length; k++) {
        const from = clipped[k];
        const to = clipped[k + 1 === clipped.length ? 0 : k + 1];
        const low = Math.max(y, Math.min(from.y, to.y));
        const high = Math.min(y + 1, Math.max(from.y, to.y));
        if (low >= high) continue;
        // From the edge's end, not the previous row, so that rows do not depend on where a band starts.
        const slope = (to.x - from.x) / (to.y - from.y);
        const a = clamp(from.x + (low - from.y) * slope - block.left, width);
        const b = clamp(from.x + (high - from.y) * slope - block.left, width);
        addEdge(areas, Math.min(a, b), Math.max(a, b), from.y < to.y ? high - low : low - high);
        least = Math.min(least, Math.floor(Math.min(a, b)));
        most = Math.max(most, Math.floor(Math.max(a, b)));
      }
      if (most < 0) continue;
      let sum = 0;
      const last = Math.min(most, width - 1);
      for (let x = least; x <= last; x++) {
        sum += areas[x];
        coverage[x - least] = Math.abs(sum);
        areas[x] = 0;
      }
      areas.fill(0, last + 1, last + 3);
      if (last >= least) visit(y, block.left + least, coverage, last - least + 1);
    }
  };
}

const clamp = (x: number, width: number) => Math.min(Math.max(x, 0), width);

/** Adds the part of an edge in one row, from x0 to x1 ≥ x0, with signed height. */
function addEdge(areas: Float64Array, x0: number, x1: number, height: number): void {
  const first = Math.floor(x0);
  const end = Math.ceil(x1);
  const add = (x: number, area: number) => {
    areas[x] += area;
  };
  if (end <= first + 1) {
    const right = (x0 + x1) / 2 - first;
    add(first, height * (1 - right));
    add(first + 1, height * right);
    return;
  }
  // Coverage to the right of a slanted edge is parabolic in its first and last pixel, linear between.
  const perColumn = 1 / (x1 - x0);
  const into = 1 - (x0 - first);
  const over = x1 - (end - 1);
  let before = 0.5 * perColumn * into * into;
  add(first, height * before);
  let total = perColumn * (into + 0.5);
  for (let x = first + 1; x < end - 1; x++) {
    add(x, height * (total - before));
    before = total;
    total += perColumn;
  }
  const last = 1 - 0.5 * perColumn * over * over;
  add(end - 1, height * (last - before));
  add(end, height * (1 - last));
}

/** Clips a polygon between two vertical lines (Sutherland and Hodgman 1974). */
function clipColumns(corners: readonly Point[], left: number, right: number): readonly Point[] {
  if (corners.every(({ x }) => x >= left && x <= right)) return corners;
  return clipAt(clipAt(corners, left, 1), right, -1);
}

function clipAt(corners: readonly Point[], edge: number, side: 1 | -1): Point[] {
  const inside = (p: Point) => (p.x - edge) * side >= 0;
  return corners.flatMap((from, k) => {
    const to = corners[(k + 1) % corners.length];
    const kept = inside(from) ? [from] : [];
    if (inside(from) === inside(to)) return kept;
    const share = (edge - from.x) / (to.x - from.x);
    return [...kept, { x: edge, y: from.y + share * (to.y - from.y) }];
  });
}
