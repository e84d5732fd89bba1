/** Converts runs of pixels to lines of the plane. */
import { type Affine, apply } from "../geometry/affine.ts";
import type { Run } from "../geometry/grid.ts";
import type { Line } from "../geometry/unfold.ts";

/**
 * Pixels of a column of lines, which are sampled column by column: on a rotated sheet a row crosses many rows of the source,
 * and a whole row would evict from the cache what the next one needs, 1.7 times as slow on a source of 3600².
 */
export const COLUMN_WIDTH = 128;

/** Returns the lines through the pixel centres of runs; the centre of pixel (i, j) is (i + ½, j + ½). */
export function linesOf(runs: readonly Run[], toPlane: Affine): Line[] {
  const step = { x: toPlane.a, y: toPlane.c };
  return runs.map(({ y, from, to }) => ({
    start: apply(toPlane, { x: from + 0.5, y: y + 0.5 }),
    step,
    count: to - from,
  }));
}

/** Returns the number of pixels of lines. */
export const pixelsOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { count }) => sum + count, 0);
