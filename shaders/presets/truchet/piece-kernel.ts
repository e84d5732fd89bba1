/** Paints Truchet tiles: bands, rings and discs, each over those before it. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { type Rgb, recordAt } from "../../lib/layout.ts";
import { unevenness } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { coverage, lit, mix, pixelAt, wrap } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { PIECE, type PieceRecord } from "./pieces.ts";

/** `offset` to the nearest copy on a torus of length `period`. */
const nearestOf = (offset: number, period: number) =>
  offset - Math.floor(offset / period + 0.5) * period;

/** A piece's paint `away` from its middle line and `depth` inside its rim. */
function paintOf(piece: PieceRecord, away: number, depth: number, pixel: number): Rgb {
  const body = coverage(depth - piece.edgeWidth, pixel);
  const gap = piece.stripeHalf - Math.abs(away - piece.stripeAt);
  // A stripe thinner than a pixel is drawn fainter instead.
  const stripe = coverage(gap, pixel) * Math.min((2 * piece.stripeHalf) / pixel, 1);
  const bulge = away / piece.half;
  const light = 1 - piece.round * bulge * bulge;
  return mix(piece.edge, lit(mix(piece.body, piece.stripe, stripe), light), body);
}

/** How deep a place lies inside a piece, or below 0 how far outside. */
function depthIn(piece: PieceRecord, dx: number, dy: number, away: number): number {
  const { left, top, right, bottom } = piece.box;
  return Math.min(
    piece.half - away,
    Math.min(Math.min(dx - left, right - dx), Math.min(dy - top, bottom - dy)),
  );
}

/**
 * `side`: cells of the board before it repeats; `cells`: cells along the picture's edge;
 * `diagonal`: 1 where the board stands on a corner, else 0; `pieces`: those of a cell from the
 * lowest up; `starts`: where each cell's begin; `look`: unevenness of the print (0…1); `table`:
 * 4096-entry permutation.
 */
function paintPieces(
  this: KernelThis,
  width: number,
  height: number,
  side: number,
  cells: number,
  diagonal: number,
  pieces: readonly PieceRecord[],
  starts: Float32Array,
  look: Float32Array,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  const s = ((column + 0.5) / width) * cells;
  const t = ((row + 0.5) / height) * cells;
  // Lengths below are in cells; `pixel` is one pixel in the same unit.
  const pixel = (cells / width) * (diagonal > 0 ? Math.SQRT2 : 1);
  const u = s + diagonal * t;
  const back = t - diagonal * s;
  const v = back - Math.floor(back / side) * side;
  const cell = wrap(Math.floor(v), side) * side + wrap(Math.floor(u), side);
  const end = starts[cell + 1];
  let colour: Rgb = { red: 0, green: 0, blue: 0 };
  for (let at = starts[cell]; at < end; at += SIZE) {
    const piece = recordAt(pieces, at);
    const dx = nearestOf(u - piece.x, side);
    const dy = nearestOf(v - piece.y, side);
    const { x, y } = piece.course;
    const away =
      piece.straight > 0 ? Math.abs(dx * x + dy * y) : Math.abs(Math.sqrt(dx * dx + dy * dy) - x);
    const depth = depthIn(piece, dx, dy, away);
    if (depth > -piece.reach - pixel) {
      const near = Math.max(0, 1 + Math.min(depth, 0) / piece.reach);
      const shaded = lit(colour, 1 - piece.shadow * near * near);
      colour = mix(shaded, paintOf(piece, away, depth, pixel), coverage(depth, pixel));
    }
  }
  return packRgb(lit(colour, 1 + look[0] * unevenness(table, column, row)));
}

/** Numbers in a piece. */
const SIZE = PIECE.size;

export const pieceKernel: Kernel = {
  run: paintPieces,
  helpers: [nearestOf, paintOf, depthIn, ...stages],
  records: { pieces: PIECE },
  literals: { SIZE },
};
