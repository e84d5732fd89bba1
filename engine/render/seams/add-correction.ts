/** Adds the correction of a cut seam to a source's pixels. */
import { type Affine, compose } from "../../geometry/affine.ts";
import { bandsWithin, type PartRows } from "../../image/continued-part.ts";
import type { LevelPart } from "../../image/source-levels.ts";
import type { Correction } from "./correction.ts";
import { toNodes } from "./grid.ts";

/**
 * Adds a correction to the rows of a part, where they are needed. Pixels beyond the grid get the correction of its edge.
 * @param fromPixels map from the part's pixels to the plane
 */
export function addCorrection(
  { colour, length }: Pick<PartRows, "colour" | "length">,
  { outline, ...region }: Omit<LevelPart, "level">,
  { grid, channels: [reds, greens, blues] }: Correction,
  fromPixels: Affine,
): void {
  const { a, b, c, d, e, f } = compose(toNodes(grid), fromPixels);
  const [right, bottom] = [grid.width - 1, grid.height - 1];
  const correctRow = (y: number, from: number, to: number) => {
    for (let x = from, at = y * length + from; x < to; x++, at++) {
      let u = a * x + b * y + e;
      let v = c * x + d * y + f;
      u = Math.min(Math.max(u, 0), right);
      v = Math.min(Math.max(v, 0), bottom);
      const left = Math.min(u | 0, right - 1);
      const upper = Math.min(v | 0, bottom - 1);
      const fx = u - left;
      const fy = v - upper;
      const node = upper * grid.width + left;
      const packed = colour[at] | 0;
      const red = (packed >> 16) + correctionAt(reds, node, grid.width, fx, fy);
      const green = ((packed >> 8) & 255) + correctionAt(greens, node, grid.width, fx, fy);
      const blue = (packed & 255) + correctionAt(blues, node, grid.width, fx, fy);
      colour[at] = (byteOf(red) << 16) | (byteOf(green) << 8) | byteOf(blue);
    }
  };
  for (const band of bandsWithin(region, outline)) {
    const x = band.x - region.x;
    for (let row = 0; row < band.height; row++) {
      correctRow(band.y - region.y + row, x, x + band.width);
    }
  }
}

/** Interpolates 255 times a channel's values at a node, to its right and below. */
function correctionAt(
  values: Float32Array,
  node: number,
  width: number,
  fx: number,
  fy: number,
): number {
  const below = node + width;
  const top = values[node] + (values[node + 1] - values[node]) * fx;
  const low = values[below] + (values[below + 1] - values[below]) * fx;
  return 255 * (top + (low - top) * fy);
}

const byteOf = (value: number) => Math.min(Math.max((value + 0.5) | 0, 0), 255);
