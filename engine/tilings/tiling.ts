/** Interface of tilings of the plane. */

import type { Affine, Point } from "../geometry/affine.ts";

/** A prototile; all tiles of a class are congruent, possibly as mirror images. */
export interface TileClass {
  readonly id: string;
  /**
   * Corners of the tile in its own frame, in order. The frame's origin is the centroid; edges have
   * length 1 if all are equal.
   */
  readonly corners: readonly Point[];
}

/** A tile on the plane. */
export interface PlacedTile {
  /** Index into `classes`. */
  readonly class: number;
  /** The isometry from the class's frame to the plane. */
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
   * Returns every tile that meets the box, exactly once, in deterministic order. Takes time and memory
   * in proportion to the box's area, independent of its position.
   * @throws RangeError if the box's sides are not in order or are beyond REACH
   */
  tilesIn(box: Box): PlacedTile[];
}

/** Largest distance of a box from both axes, in the tiling's unit of length. */
export const REACH = 100_000;

/** Throws a RangeError if a box's sides are not in order or not numbers within REACH. */
export function checkBox({ left, top, right, bottom }: Box): void {
  for (const [low, high] of [
    [left, right],
    [top, bottom],
  ] as const) {
    if (!(-REACH <= low && low <= high && high <= REACH)) {
      throw new RangeError(`a box lies within ±${REACH} of the origin, not from ${low} to ${high}`);
    }
  }
}
