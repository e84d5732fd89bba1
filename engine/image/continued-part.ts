/** Copies a part of a picture and of what continues it. */
import type { Point } from "../geometry/affine.ts";
import { createContinuation } from "./continuation.ts";
import type { PackedImage, Region } from "./picture.ts";

/** Rows of a part of a picture, `length` numbers apart. */
export interface PartRows {
  readonly colour: Float32Array;
  readonly alpha: Float32Array | null;
  readonly length: number;
}

/** Pixels around an outline that interpolation may read. */
export const MARGIN = 2;

/** Rows in a band. A band copies every column that one of its rows needs, so larger bands copy more pixels. */
const BAND = 32;

/**
 * Copies a part of a picture into rows. Beyond its edges the picture is continued with copies of itself.
 * @param region whole pixels
 * @param outline corners of a convex polygon, in pixels of the picture; only pixels inside and next to it are needed
 */
export function copyPart(
  picture: PackedImage,
  region: Region,
  into: PartRows,
  outline: readonly Point[],
): void {
  const columns = createContinuation(picture, region);
  for (const { x, y, width, height } of bandsWithin(region, outline)) {
    const rows = columns(x, width);
    for (let row = y; row < y + height; row++) {
      const to = (row - region.y) * into.length + x - region.x;
      rows.read(row, {
        colour: into.colour.subarray(to, to + width),
        alpha: into.alpha?.subarray(to, to + width) ?? null,
      });
    }
  }
}

/** Yields the parts of a region that are needed of the inside of an outline, in bands from the top. */
export function* bandsWithin(region: Region, outline: readonly Point[]): Generator<Region> {
  const bottom = region.y + region.height;
  for (let y = region.y; y < bottom; y += BAND) {
    const height = Math.min(BAND, bottom - y);
    const { least, most } = extentOf(outline, y - MARGIN, y + height + MARGIN);
    const x = Math.max(region.x, Math.floor(least - MARGIN));
    const width = Math.min(region.x + region.width, Math.ceil(most + MARGIN)) - x;
    if (width > 0) yield { x, y, width, height };
  }
}

/** Returns the least and greatest x of the part of a polygon that lies between two rows. */
function extentOf(corners: readonly Point[], top: number, bottom: number) {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const [at, corner] of corners.entries()) {
    const next = corners[(at + 1) % corners.length];
    const [upper, lower] = corner.y < next.y ? [corner, next] : [next, corner];
    if (lower.y < top || upper.y > bottom) continue;
    const xAt = (y: number) =>
      lower.y === upper.y
        ? upper.x
        : upper.x + ((y - upper.y) / (lower.y - upper.y)) * (lower.x - upper.x);
    const level = lower.y === upper.y ? [lower.x] : [];
    const xs = [xAt(Math.max(top, upper.y)), xAt(Math.min(bottom, lower.y)), ...level];
    least = Math.min(least, ...xs);
    most = Math.max(most, ...xs);
  }
  return { least, most };
}
