/** Lines with round ends, drawn into a buffer of coverage. */
import type { Point } from "../geometry/affine.ts";
import type { PixelRect } from "./coverage.ts";

/**
 * Draws the line from one point to another, in pixels of the sheet. Where lines meet, the greater
 * coverage counts, so that a line that is drawn twice is the same line.
 * @param coverage of the band's pixels, row after row
 * @param block part of the band that is drawn into
 * @param half half the line's width in pixels; lines thinner than a pixel come out paler
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
    // Where the row's pixel centres are within reach of the endless line.
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
      if (covered > (coverage[index] as number)) coverage[index] = covered;
    }
  }
}
