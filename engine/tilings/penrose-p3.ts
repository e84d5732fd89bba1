/**
 * Penrose's rhombs (P3) from five families of lines whose offsets add up to 0 (de Bruijn 1981). The
 * sum of the indices at a corner is 1, 2, 3 or 4. The arrows of the matching rule follow from it:
 * double arrows are on the edges between sums 1 and 2 and between 3 and 4, single ones between 2 and
 * 3. A rhomb has one corner with a sum of 1 or 4, where its double arrows meet; the frame begins
 * there, so that the arrows are the same on all tiles of a class.
 */

import { gridOffsets } from "./line-grid.ts";
import { rhombTiling } from "./rhombs.ts";
import type { Tiling } from "./tiling.ts";

/** By the angle where the double arrows meet, in multiples of 36°. */
const CLASSES = [
  { id: "thick", angle: 2 },
  { id: "thin", angle: 4 },
];

/** Rhombs with edges of length 1; the first corner has 72° in thick ones and 144° in thin ones. */
export function penroseP3Tiling(seed: number): Tiling {
  const grid = { n: 5, directions: [0, 2, 4, 6, 8], offsets: gridOffsets(5, seed, true) };
  return rhombTiling(grid, CLASSES, ({ indexSum }) => indexSum !== 1);
}
