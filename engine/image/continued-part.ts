/** Copies a part of a picture and of what continues it. */
import { continued } from "./continuation.ts";
import type { PackedImage } from "./picture.ts";
import type { Region } from "./resample.ts";

/** Rows of a part of a picture, `length` numbers apart. */
export interface PartRows {
  readonly colour: Float32Array;
  readonly alpha: Float32Array | null;
  readonly length: number;
}

/** A point in pixels from the top left corner of a picture. */
export interface PixelPoint {
  readonly x: number;
  readonly y: number;
}

/** Pixels around the outline that interpolation may read. */
const MARGIN = 2;

/** Rows whose columns are copied together: the fewer, the fewer that nobody needs. */
const BAND = 32;

/**
 * Copies a part of a picture into rows. Beyond its edges the picture is continued with copies of itself.
 * @param region whole pixels
 * @param outline corners of a convex polygon: only pixels next to it are needed
 */
export function copyPart(
  picture: PackedImage,
  region: Region,
  into: PartRows,
  outline: readonly PixelPoint[] = cornersOf(region),
): void {
  const bottom = region.y + region.height;
  for (let y = region.y; y < bottom; y += BAND) {
    const height = Math.min(BAND, bottom - y);
    const { least, most } = extentOf(outline, y - MARGIN, y + height + MARGIN);
    const x = Math.max(region.x, Math.floor(least - MARGIN));
    const width = Math.min(region.x + region.width, Math.ceil(most + MARGIN)) - x;
    if (width > 0) copyBand(picture, { x, y, width, height }, region, into);
  }
}

const cornersOf = ({ x, y, width, height }: Region): readonly PixelPoint[] => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
];

/** Returns the least and greatest x of the part of a polygon that lies between two rows. */
function extentOf(corners: readonly PixelPoint[], top: number, bottom: number) {
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

function copyBand(
  picture: PackedImage,
  { x, y, width, height }: Region,
  region: Region,
  { colour, alpha, length }: PartRows,
): void {
  const rows = continued(picture, { left: x, top: y, width, height });
  for (let row = y; row < y + height; row++) {
    const to = (row - region.y) * length + x - region.x;
    rows.read(row, {
      colour: colour.subarray(to, to + width),
      alpha: alpha?.subarray(to, to + width) ?? null,
    });
  }
}
