/** Cuts of the piece at the corners of a lattice of triangles. */
import { randomSequence } from "../../lib/random.ts";

/**
 * Corners along a side until their cuts come again: 24 000 pixels of the piece along a row, 20 784
 * across: thousands of bumps.
 */
export const CORNERS = 200;

/** A cut is one of 16 × 16 places in the piece, 16 pixels apart. */
const CUTS = 256;

/**
 * For each triangle one number that holds the cuts of its corners: first those whose apex is the
 * upper left corner of its rhombus, row after row, then those whose apex is the lower right one. Each
 * is apex · 65536 + upper right · 256 + lower left.
 */
export function cutsOfTriangles(seed: number): Float32Array {
  const random = randomSequence(seed, 0xc075);
  const drawn = new Uint8Array(CORNERS * CORNERS);
  for (let corner = 0; corner < drawn.length; corner++) drawn[corner] = random() * CUTS;
  const cuts = new Float32Array(2 * drawn.length);
  for (let row = 0, rhombus = 0; row < CORNERS; row++) {
    const above = row * CORNERS;
    const below = ((row + 1) % CORNERS) * CORNERS;
    for (let column = 0; column < CORNERS; column++, rhombus++) {
      const right = (column + 1) % CORNERS;
      const [upperLeft, upperRight] = [drawn[above + column], drawn[above + right]];
      const [lowerLeft, lowerRight] = [drawn[below + column], drawn[below + right]];
      const both = upperRight * 256 + lowerLeft;
      cuts[rhombus] = upperLeft * 65536 + both;
      cuts[drawn.length + rhombus] = lowerRight * 65536 + both;
    }
  }
  return cuts;
}
