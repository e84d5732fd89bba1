/** Which part of the piece lies at each corner of a lattice of triangles. */
import { randomSequence } from "../../lib/random.ts";

/**
 * Corners along a side until their cuts come again: 24 000 pixels along a row, 20 784 across, more
 * than a sheet has. The kernel, which sees no constants, names it as 200.
 */
const CORNERS = 200;

/** A cut is one of 16 × 16 places in the piece, 16 pixels apart. */
const CUTS = 256;

/**
 * For each triangle one number that holds the cuts of its corners: first those whose apex is the
 * upper left corner of its rhombus, row after row, then those whose apex is the lower right one. Each
 * is apex · 65536 + upper right · 256 + lower left.
 */
export function cutsOfTriangles(seed: number): Float32Array {
  const random = randomSequence(seed, 0xc075);
  const drawn = Float32Array.from({ length: CORNERS * CORNERS }, () => Math.floor(random() * CUTS));
  const cutAt = (column: number, row: number) =>
    drawn[(row % CORNERS) * CORNERS + (column % CORNERS)] as number;
  return Float32Array.from({ length: 2 * CORNERS * CORNERS }, (_, index) => {
    const column = index % CORNERS;
    const row = Math.floor(index / CORNERS) % CORNERS;
    const isLower = index >= CORNERS * CORNERS;
    const apex = isLower ? cutAt(column + 1, row + 1) : cutAt(column, row);
    return apex * 65536 + cutAt(column + 1, row) * 256 + cutAt(column, row + 1);
  });
}
