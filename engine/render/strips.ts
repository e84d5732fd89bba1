/**
 * Large sheets are made in strips, which threads make apart from each other. Where a strip begins
 * follows from the recipe alone, so that a file has the same bytes however many threads there are.
 */
import { reachOf, sizeOf, surfaceStepsOf } from "../check.ts";
import type { Design, RenderFields } from "../recipe.ts";
import { bandRows } from "./bands.ts";
import { chainOf } from "./pattern-chain.ts";
import { periodPixels, surfaceGeometry } from "./surface.ts";

/** Rows of a sheet. */
export interface Strip {
  readonly first: number;
  readonly count: number;
}

/**
 * Bands of a strip: enough that beginning one costs little beside making it, and so few that others
 * do not wait long for the thread.
 */
const BANDS = 8;

/** What effects look at beyond a strip is computed once more; at most one row for so many. */
const ROWS_PER_REPEATED = 8;

/** A period is computed by each thread; a sheet is worth that when it is so many times larger. */
const LEAST_PERIODS = 4;

/**
 * The strips of a checked render, from the top; a single one where it is made in one go: files that
 * are encoded as a whole, tiles, and sheets that repeat what is encoded once.
 */
export function stripsOf(design: Design, fields: RenderFields): Strip[] {
  const size = sizeOf(fields);
  const { width, height } = size;
  if (isSingleStrip(design, fields)) return [{ first: 0, count: height }];
  const reaches = surfaceStepsOf(design, fields).map((one) => reachOf(one, size));
  const bands = BANDS * bandRows(width, height, Math.max(0, ...reaches));
  const beyond = ROWS_PER_REPEATED * 2 * reaches.reduce((sum, reach) => sum + reach, 0);
  const rows = Math.max(bands, beyond);
  return Array.from({ length: Math.ceil(height / rows) }, (_, index) => ({
    first: index * rows,
    count: Math.min(rows, height - index * rows),
  }));
}

function isSingleStrip(design: Design, fields: RenderFields): boolean {
  if (fields.format !== "png" || fields.mode === "tile") return true;
  // Each strip would change the picture that fills the tiles anew.
  if (fields.mode === "aperiodic") return chainOf(design).onPeriod.length > 0;
  const geometry = surfaceGeometry(design, fields);
  if (geometry.periodic && surfaceStepsOf(design, fields).length === 0) return true;
  return geometry.width * geometry.height < LEAST_PERIODS * periodPixels(design, geometry);
}
