/** What a tiling of the plane gives to those who draw it. */

import type { Affine, Point } from "../geometry/affine.ts";

/** One kind of tile; all tiles of a class are congruent (mirror images too, where `mirrored` occurs). */
export interface TileClass {
  readonly id: string;
  /**
   * Corners of the tile in its own frame, in order, edge length 1 where edges are equal; the frame's
   * origin is the centroid of the polygon.
   */
  readonly corners: readonly Point[];
}

/** A tile on the plane: an isometry of its class's frame. */
export interface PlacedTile {
  readonly class: number;
  readonly placement: Affine;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Tiling {
  readonly classes: readonly TileClass[];
  /**
   * Every tile that meets the box, each exactly once, in an order that depends on the tiling alone
   * (same box → same list). Costs time and memory by the box's area, wherever the box lies.
   * @throws RangeError where the box's sides are not in order or lie beyond REACH (reach.ts)
   */
  tilesIn(box: Box): PlacedTile[];
}
