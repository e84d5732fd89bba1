/** Draws line segments with round caps into a coverage buffer. */
import type { Point } from "../geometry/affine.ts";
import type { PixelRect } from "./coverage.ts";

/**
 * Draws a segment in pixels of the sheet. Overlaps keep the greater coverage, so that drawing a segment
 * twice changes nothing.
 * @param coverage of the band's pixels, row by row
 * @param block part of the band to draw in
 * @param half half the line width in pixels; lines thinner than a pixel are paler
 */
export function stroke(
  coverage: Float32Array,
  band: PixelRect,
  block: PixelRect,
  from: Point,
  to: Point,
  half: number,
): void {
  const width = band.right - band.left;
  const reach = half + 0.5;
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy);
  const top = Math.max(block.top, Math.floor(Math.min(from.y, to.y) - reach));
  const bottom = Math.min(block.bottom, Math.ceil(Math.max(from.y, to.y) + reach));
  const least = Math.min(from.x, to.x) - reach;
  const most = Math.max(from.x, to.x) + reach;
  for (let y = top; y < bottom; y++) {
    const cy = y + 0.5 - from.y;
    // Interval of the row's pixel centres within reach of the infinite line.
    const slanted = Math.abs(dy) > 1e-9 * length;
    const middle = slanted ? from.x + (cy * dx) / dy : 0;
    const spread = slanted ? (reach * length) / Math.abs(dy) : Number.POSITIVE_INFINITY;
    const left = Math.max(block.left, Math.floor(Math.max(least, middle - spread) - 0.5));
    const right = Math.min(block.right, Math.ceil(Math.min(most, middle + spread) + 0.5));
    for (let x = left; x < right; x++) {
      const cx = x + 0.5 - from.x;
      const along = Math.min(Math.max((cx * dx + cy * dy) / (length * length), 0), 1);
      const away = Math.hypot(cx - along * dx, cy - along * dy);
      // Overlap of the pixel, one wide, with the line's width.
      const covered = Math.min(away + 0.5, half) - Math.max(away - 0.5, -half);
      const index = (y - band.top) * width + x - band.left;
      if (covered > coverage[index]) coverage[index] = covered;
    }
  }
}
