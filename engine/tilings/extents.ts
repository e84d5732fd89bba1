/** Extents of patches from the origin of their frame, to discard patches that cannot meet a box. */

import type { Affine, Point } from "../geometry/affine.ts";

/**
 * Distances that a figure extends to the right, down, to the left and up: four numbers for each
 * orientation. −∞ for an empty figure.
 */
export type Extents = Float64Array;

/** A part of a figure, with extents in its own frame. */
export interface FigurePart {
  readonly extents: Extents;
  /** The part's orientation in each orientation of the whole. */
  readonly orientations: readonly number[];
  readonly shift: Point;
}

/** Returns the extents of a polygon; `linear` has the map of each orientation. */
export function polygonExtents(corners: readonly Point[], linear: readonly Affine[]): Extents {
  return Float64Array.from(
    linear.flatMap(({ a, b, c, d }) => {
      const xs = corners.map(({ x, y }) => a * x + b * y);
      const ys = corners.map(({ x, y }) => c * x + d * y);
      return [Math.max(...xs), Math.max(...ys), -Math.min(...xs), -Math.min(...ys)];
    }),
  );
}

/** Returns the extents of several parts together; `linear` has the map of each orientation. */
export function unionExtents(parts: readonly FigurePart[], linear: readonly Affine[]): Extents {
  const union = new Float64Array(4 * linear.length).fill(Number.NEGATIVE_INFINITY);
  for (const { extents, orientations, shift } of parts) {
    linear.forEach(({ a, b, c, d }, orientation) => {
      const x = a * shift.x + b * shift.y;
      const y = c * shift.x + d * shift.y;
      [x, y, -x, -y].forEach((reach, side) => {
        const part = extents[4 * orientations[orientation] + side];
        const at = 4 * orientation + side;
        union[at] = Math.max(union[at], reach + part);
      });
    });
  }
  return union;
}
