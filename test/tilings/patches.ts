/** Patches of tilings as plain polygons, for the tests. */

import { type Affine, apply, determinant, type Point } from "../../engine/geometry/affine.ts";
import { tilings } from "../../engine/tilings/catalogue.ts";
import type { Box, PlacedTile, Tiling } from "../../engine/tilings/tiling.ts";

export interface Outline {
  readonly tile: PlacedTile;
  readonly corners: readonly Point[];
}

/** Every kind of tiling, `multigrid` with an odd and with even numbers of families. */
export const CASES = Object.entries(tilings).flatMap(([id, tilingOf]) =>
  (id === "multigrid" ? [7, 8, 12, 13] : [7]).map((n) => ({
    id,
    title: id === "multigrid" ? `${id} ${n}` : id,
    tilingOf: (seed: number) => tilingOf({ seed, n }),
  })),
);

export const boxAt = (x: number, y: number, width: number, height: number): Box => ({
  left: x,
  top: y,
  right: x + width,
  bottom: y + height,
});

export const outlinesIn = (tiling: Tiling, box: Box): Outline[] =>
  tiling.tilesIn(box).map((tile) => ({
    tile,
    corners: tiling.classes[tile.class]?.corners.map((p) => apply(tile.placement, p)) ?? [],
  }));

/** Edges in order, as pairs of corners. */
export const edgesOf = (corners: readonly Point[]): [Point, Point][] =>
  corners.map((p, k) => [p, corners[(k + 1) % corners.length]]);

/** The same text for points that differ only by rounding. */
export function keyOf({ x, y }: Point): string {
  // The grid is shifted, so that no corner of a tiling is where two roundings meet.
  const rounded = (value: number) => Math.floor((value + 0.000_123_4) * 1000);
  return `${rounded(x)},${rounded(y)}`;
}

export const placementKey = ({ class: kind, placement }: PlacedTile): string =>
  `${kind} ${turnKey(placement)} ${keyOf({ x: placement.e, y: placement.f })}`;

export const turnKey = (m: Affine): string =>
  `${Math.round(Math.atan2(m.c, m.a) * 1e6) % 6_283_185} ${Math.sign(determinant(m))}`;

/** Whether a point is in a box and not on its border. */
export const isStrictlyIn = ({ x, y }: Point, { left, top, right, bottom }: Box): boolean =>
  Math.min(x - left, right - x, y - top, bottom - y) > 1e-6;

/** The area of the part of a polygon that lies in a box (Sutherland and Hodgman; without sign). */
export function areaWithin(corners: readonly Point[], { left, top, right, bottom }: Box): number {
  const width = right - left;
  const height = bottom - top;
  // Relative to the box's corner, so that areas far from the origin keep their digits.
  let polygon: readonly Point[] = corners.map(({ x, y }) => ({ x: x - left, y: y - top }));
  const sides: ((p: Point) => number)[] = [
    ({ x }) => x,
    ({ x }) => width - x,
    ({ y }) => y,
    ({ y }) => height - y,
  ];
  for (const side of sides) {
    polygon = edgesOf(polygon).flatMap(([p, q]) => {
      const from = side(p);
      const to = side(q);
      const t = from / (from - to);
      const crossing = { x: p.x + t * (q.x - p.x), y: p.y + t * (q.y - p.y) };
      const kept = from >= 0 ? [p] : [];
      return from >= 0 === to >= 0 ? kept : [...kept, crossing];
    });
  }
  return Math.abs(edgesOf(polygon).reduce((a, [p, q]) => a + (p.x * q.y - q.x * p.y) / 2, 0));
}

export function distanceToEdge({ x, y }: Point, [p, q]: readonly [Point, Point]): number {
  const along = { x: q.x - p.x, y: q.y - p.y };
  const share = ((x - p.x) * along.x + (y - p.y) * along.y) / (along.x ** 2 + along.y ** 2);
  const t = Math.min(Math.max(share, 0), 1);
  return Math.hypot(x - p.x - t * along.x, y - p.y - t * along.y);
}
