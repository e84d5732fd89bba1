/** Tilings by rhombs with n-fold symmetry, from n families of lines with arbitrary offsets. */

import { gridOffsets } from "./line-grid.ts";
import { type RhombClass, rhombTiling } from "./rhombs.ts";
import type { Tiling } from "./tiling.ts";

/**
 * Ammann and Beenker's tiling: rhombs with 45° and squares, edges of length 1 (F. P. M. Beenker,
 * "Algebraic theory of non-periodic tilings of the plane by two simple building blocks", 1982).
 */
export const ammannBeenkerTiling = (seed: number): Tiling =>
  nFoldTiling(4, seed, [
    { id: "rhomb", angle: 1 },
    { id: "square", angle: 2 },
  ]);

/**
 * Rhombs with the angles k·π/n for k = 1 … ⌊n/2⌋, edges of length 1.
 * @throws RangeError if n is not an integer from 5 to 13
 */
export function multigridTiling(n: number, seed: number): Tiling {
  if (!Number.isInteger(n) || n < 5 || n > 13) {
    throw new RangeError(`n is a whole number from 5 to 13, not ${n}`);
  }
  const angles = Array.from({ length: Math.floor(n / 2) }, (_, k) => k + 1);
  return nFoldTiling(
    n,
    seed,
    angles.map((angle) => ({ id: `rhomb_${angle}`, angle })),
  );
}

function nFoldTiling(n: number, seed: number, classes: readonly RhombClass[]): Tiling {
  const directions = Array.from({ length: n }, (_, j) => j);
  return rhombTiling({ n, directions, offsets: gridOffsets(n, seed) }, classes, () => false);
}
