/** Simple polygons, and whether they meet axis-aligned boxes. */

import type { Point } from "../geometry/affine.ts";
import type { Box } from "./tiling.ts";

/** Returns the signed area: positive if the corners run from the x axis towards the y axis. */
export function areaOf(corners: readonly Point[]): number {
  return corners.reduce((total, p, k) => {
    const q = next(corners, k);
    return total + (p.x * q.y - q.x * p.y) / 2;
  }, 0);
}

/** Returns the centroid of a polygon with an area other than 0. */
export function centroidOf(corners: readonly Point[]): Point {
  let x = 0;
  let y = 0;
  corners.forEach((p, k) => {
    const q = next(corners, k);
    const cross = p.x * q.y - q.x * p.y;
    x += (p.x + q.x) * cross;
    y += (p.y + q.y) * cross;
  });
  const area = areaOf(corners);
  return { x: x / (6 * area), y: y / (6 * area) };
}

/** Whether a polygon, its inside and its edge, has a point in common with a box and its edge. */
export function meetsBox(corners: readonly Point[], box: Box): boolean {
  if (corners.some((p) => outcode(p, box) === 0)) return true;
  if (corners.some((p, k) => edgeMeets(p, next(corners, k), box))) return true;
  return contains(corners, { x: box.left, y: box.top });
}

/** Whether a point is inside; undefined for points on the edge. */
export function contains(corners: readonly Point[], { x, y }: Point): boolean {
  let inside = false;
  for (let k = 0; k < corners.length; k++) {
    const p = corners[k];
    const q = next(corners, k);
    if (p.y > y !== q.y > y && x < p.x + ((y - p.y) / (q.y - p.y)) * (q.x - p.x)) inside = !inside;
  }
  return inside;
}

/** Returns the polygon translated by (x, y). */
export const shifted = (corners: readonly Point[], x: number, y: number): Point[] =>
  corners.map((corner) => ({ x: corner.x + x, y: corner.y + y }));

const next = (corners: readonly Point[], k: number) => corners[(k + 1) % corners.length];

/** Returns a bit for each side of the box that the point is beyond (Cohen and Sutherland). */
function outcode({ x, y }: Point, { left, top, right, bottom }: Box): number {
  return (x < left ? 1 : 0) | (x > right ? 2 : 0) | (y < top ? 4 : 0) | (y > bottom ? 8 : 0);
}

/** Whether a segment with both ends outside meets the box. */
function edgeMeets(p: Point, q: Point, box: Box): boolean {
  if ((outcode(p, box) & outcode(q, box)) !== 0) return false;
  // Otherwise it misses exactly if all four corners are strictly on one side of its line.
  const { left, top, right, bottom } = box;
  const side = (x: number, y: number) => (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
  const sides = [side(left, top), side(right, top), side(left, bottom), side(right, bottom)];
  return Math.min(...sides) <= 0 && Math.max(...sides) >= 0;
}
