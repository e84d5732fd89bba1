/**
 * Tilings by substitution. A patch of level 0 is a few tiles, a patch of any other level a few
 * patches of the level below. All positions are elements of a ring, so that patches of every level
 * are exact. To fill a box, a descent from one huge root patch skips patches that cannot meet the box.
 */

import { type Affine, apply, type Point } from "../geometry/affine.ts";
import { type Extents, polygonExtents, unionExtents } from "./extents.ts";
import { type Orientations, orientationOf, orientationsOf } from "./orientations.ts";
import { centroidOf, meetsBox, shifted } from "./polygon.ts";
import {
  composeMotions,
  IDENTITY_MOTION,
  type Motion,
  multiply,
  pointOf,
  type Ring,
  type RingElement,
} from "./ring.ts";
import type { Box, PlacedTile, TileClass, Tiling } from "./tiling.ts";
import { checkBox } from "./tiling.ts";

/** A tile of a class or a patch of a kind, with the motion into the frame of the containing patch. */
export interface PatchPiece {
  readonly kind: number;
  readonly motion: Motion;
}

export interface Substitution {
  readonly ring: Ring;
  readonly classes: readonly { readonly id: string; readonly corners: readonly RingElement[] }[];
  /**
   * Pieces of each kind of patch on each level: tiles on level 0, patches of the level below on all
   * others.
   */
  readonly levels: readonly (readonly (readonly PatchPiece[])[])[];
}

/** Position of the plane's origin in a patch of the last level. */
export interface OriginPath {
  readonly kind: number;
  /**
   * From the last level down, the index of the piece with the origin. The frame of the last piece
   * has its origin there.
   */
  readonly path: readonly number[];
}

/** A patch or a tile, prepared for the descent. */
interface PatchNode {
  readonly extents: Extents;
  readonly branches: readonly Branch[];
  readonly tile: Prototile | null;
}

interface Branch {
  readonly node: PatchNode;
  readonly orientation: number;
  readonly shift: RingElement;
}

interface Prototile {
  readonly class: number;
  /** For each orientation: the corners, and the map from the class's frame, before any shift. */
  readonly corners: readonly (readonly Point[])[];
  readonly placements: readonly Affine[];
}

/** Larger than any rounding error of a position, smaller than any tile. */
const SLACK = 1e-6;

/** Returns the tiling by a patch of the last level, which has to cover the plane up to REACH. */
export function substitutionTiling(substitution: Substitution, place: OriginPath): Tiling {
  const { ring } = substitution;
  const orientations = orientationsOf(ring);
  const { matrices, products } = orientations;
  const classes = substitution.classes.map(({ id, corners }) => classOf(ring, id, corners));
  const root = treeOf(substitution, orientations)[place.kind];
  const rootShift = multiply(originOf(substitution, place), -1);
  const [, p1, p2, p3] = ring.powers.map((z) => pointOf(ring, z));

  function tilesIn(box: Box): PlacedTile[] {
    checkBox(box);
    const found: PlacedTile[] = [];
    // The four integers of a shift are arguments, so that only tiles that meet the box allocate.
    function descend(
      { extents, branches, tile }: PatchNode,
      orientation: number,
      s0: number,
      s1: number,
      s2: number,
      s3: number,
    ): void {
      const x = s0 + s1 * p1.x + s2 * p2.x + s3 * p3.x;
      const y = s1 * p1.y + s2 * p2.y + s3 * p3.y;
      const side = 4 * orientation;
      const toRight = x + extents[side];
      const down = y + extents[side + 1];
      const toLeft = x - extents[side + 2];
      const up = y - extents[side + 3];
      if (toRight < box.left - SLACK || toLeft > box.right + SLACK) return;
      if (down < box.top - SLACK || up > box.bottom + SLACK) return;
      if (tile !== null) {
        const { a, b, c, d, e, f } = tile.placements[orientation];
        const inX = toLeft >= box.left && toRight <= box.right;
        const inY = up >= box.top && down <= box.bottom;
        const corners = tile.corners[orientation];
        if ((inX && inY) || meetsBox(shifted(corners, x, y), box)) {
          found.push({ class: tile.class, placement: { a, b, c, d, e: e + x, f: f + y } });
        }
        return;
      }
      const [a, b, c, d] = matrices[orientation];
      const product = products[orientation];
      for (const { node, orientation: turn, shift } of branches) {
        const [c0, c1, c2, c3] = shift;
        descend(
          node,
          product[turn],
          s0 + a[0] * c0 + a[1] * c1 + a[2] * c2 + a[3] * c3,
          s1 + b[0] * c0 + b[1] * c1 + b[2] * c2 + b[3] * c3,
          s2 + c[0] * c0 + c[1] * c1 + c[2] * c2 + c[3] * c3,
          s3 + d[0] * c0 + d[1] * c1 + d[2] * c2 + d[3] * c3,
        );
      }
    }
    descend(root, orientationOf(ring, IDENTITY_MOTION), ...rootShift);
    return found;
  }
  return { classes, tilesIn };
}

/** Returns the class of a polygon; its frame is the ring's, translated to the centroid. */
function classOf(ring: Ring, id: string, corners: readonly RingElement[]): TileClass {
  const points = corners.map((corner) => pointOf(ring, corner));
  const { x, y } = centroidOf(points);
  return { id, corners: shifted(points, -x, -y) };
}

/** Builds the tree of patches and returns the roots: one patch of the last level for each kind. */
function treeOf(
  { ring, classes, levels }: Substitution,
  orientations: Orientations,
): readonly PatchNode[] {
  const { linear, products } = orientations;
  const tiles = classes.map(({ corners: exact }, kind): PatchNode => {
    const corners = exact.map((corner) => pointOf(ring, corner));
    const centroid = centroidOf(corners);
    const extents = polygonExtents(corners, linear);
    const tile: Prototile = {
      class: kind,
      corners: linear.map((map) => corners.map((corner) => apply(map, corner))),
      placements: linear.map((map) => {
        const { x, y } = apply(map, centroid);
        return { ...map, e: x, f: y };
      }),
    };
    return { extents, branches: [], tile };
  });
  return levels.reduce<readonly PatchNode[]>(
    (below, kinds) =>
      kinds.map((pieces) => {
        const branches = pieces.map(({ kind, motion }) => ({
          node: below[kind],
          orientation: orientationOf(ring, motion),
          shift: motion.shift,
        }));
        const parts = branches.map(({ node, orientation, shift }) => ({
          extents: node.extents,
          orientations: products.map((product) => product[orientation]),
          shift: pointOf(ring, shift),
        }));
        return { extents: unionExtents(parts, linear), branches, tile: null };
      }),
    tiles,
  );
}

/** Returns the end of a path, in the frame of its patch of the last level. */
function originOf({ ring, levels }: Substitution, { kind, path }: OriginPath): RingElement {
  let motion = IDENTITY_MOTION;
  let patch = kind;
  path.forEach((index, depth) => {
    const piece = levels[levels.length - 1 - depth][patch][index];
    motion = composeMotions(ring, motion, piece.motion);
    patch = piece.kind;
  });
  return motion.shift;
}
