/** Tilings by rhombs with edges of length 1, from a line grid. */

import { type Affine, apply, type Point, rotation } from "../geometry/affine.ts";
import type { LineGrid } from "./line-grid.ts";
import { type GridRhomb, rhombsNear } from "./multigrid.ts";
import { meetsBox, shifted } from "./polygon.ts";
import type { Box, PlacedTile, Tiling } from "./tiling.ts";
import { checkBox } from "./tiling.ts";

/** A class of rhombs: the angle at the first corner is `angle`·π/n. */
export interface RhombClass {
  readonly id: string;
  readonly angle: number;
}

/** Class, orientation and shape of the rhombs of two families. */
interface Pose {
  readonly class: number;
  readonly map: Affine;
  /** Relative to the centre. */
  readonly corners: readonly Point[];
  readonly reach: Point;
}

/**
 * Returns the tiling of a grid. `classes` must contain one of the angles of every rhomb.
 * @param isReversed whether the class's frame is rotated by 180° in a rhomb
 */
export function rhombTiling(
  grid: LineGrid,
  classes: readonly RhombClass[],
  isReversed: (rhomb: GridRhomb) => boolean,
): Tiling {
  const walk = rhombsNear(grid);
  const frames = classes.map(({ angle }) => rhombCorners((Math.PI * angle) / grid.n));
  const posesOf = (halfTurn: number) =>
    grid.directions.map((r) =>
      grid.directions.map((s) => poseOf(r, s, grid.n, classes, frames, halfTurn)),
    );
  const poses = [posesOf(0), posesOf(180)] as const;

  function tilesIn(box: Box): PlacedTile[] {
    checkBox(box);
    const found: PlacedTile[] = [];
    walk(box, (rhomb) => {
      const pose = poses[isReversed(rhomb) ? 1 : 0][rhomb.r]?.[rhomb.s];
      if (!meets(pose, rhomb.centre, box)) return;
      const { a, b, c, d } = pose.map;
      const { x: e, y: f } = rhomb.centre;
      found.push({ class: pose.class, placement: { a, b, c, d, e, f } });
    });
    return found;
  }
  return { classes: classes.map(({ id }, k) => ({ id, corners: frames[k] })), tilesIn };
}

/** Returns the corners relative to the centre, with the first edge along the x axis. */
function rhombCorners(angle: number): Point[] {
  const x = Math.cos(angle);
  const y = Math.sin(angle);
  return [
    { x: (-1 - x) / 2, y: -y / 2 },
    { x: (1 - x) / 2, y: -y / 2 },
    { x: (1 + x) / 2, y: y / 2 },
    { x: (x - 1) / 2, y: y / 2 },
  ];
}

/** Returns the pose of a rhomb whose edges from one corner have the directions r and s. */
function poseOf(
  r: number,
  s: number,
  n: number,
  classes: readonly RhombClass[],
  frames: readonly Point[][],
  halfTurn: number,
): Pose {
  const between = (s - r + 2 * n) % (2 * n);
  const [first, angle] = between < n ? [r, between] : [s, 2 * n - between];
  const own = classes.findIndex((rhombs) => rhombs.angle === angle);
  // If no class starts at that corner, one starts at the next corner.
  const kind = own >= 0 ? own : classes.findIndex((rhombs) => rhombs.angle === n - angle);
  const turn = own >= 0 ? first : first + angle;
  const map = rotation((180 * turn) / n + halfTurn);
  const corners = (frames[kind] ?? []).map((corner) => apply(map, corner));
  const reach = {
    x: Math.max(...corners.map(({ x }) => x)),
    y: Math.max(...corners.map(({ y }) => y)),
  };
  return { class: kind, map, corners, reach };
}

function meets({ corners, reach }: Pose, { x, y }: Point, box: Box): boolean {
  const { left, top, right, bottom } = box;
  if (x + reach.x < left || x - reach.x > right) return false;
  if (y + reach.y < top || y - reach.y > bottom) return false;
  const isInside =
    x - reach.x >= left && x + reach.x <= right && y - reach.y >= top && y + reach.y <= bottom;
  return isInside || meetsBox(shifted(corners, x, y), box);
}
