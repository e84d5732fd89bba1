/** A source as seams are found for it: encoded colours at the nodes of a grid over the domain. */
import { type Affine, compose } from "../../geometry/affine.ts";
import { bandsWithin } from "../../image/continued-part.ts";
import type { SourceLevels } from "../../image/source-levels.ts";
import { sampledPart, toPixelsOf } from "../placement.ts";
import { type NodeGrid, nodeAt } from "./grid.ts";

export interface CoarsePicture {
  readonly grid: NodeGrid;
  /** Red, green and blue of the nodes, interleaved, 0…1, multiplied by alpha. */
  readonly colours: Float32Array;
  /** Whether a node lies in the source rather than in what continues it. */
  readonly isInside: Uint8Array;
}

/**
 * Samples a source at the nodes of a grid. Rejects with `LevelMissing`.
 * @param checkpoint called while what is missing of the level is made; may throw
 * @param toSource map from the plane to source pixels
 */
export async function coarsePicture(
  checkpoint: () => Promise<void>,
  grid: NodeGrid,
  toSource: Affine,
  levels: SourceLevels,
): Promise<CoarsePicture> {
  const max = nodeAt(grid, grid.width - 1, grid.height - 1);
  // No finer than the source: it is interpolated here anyway.
  const step = Math.max(grid.step, 1 / Math.hypot(toSource.a, toSource.c));
  // A level finer than for other samples, because it is interpolated between 2 × 2 pixels.
  const part = sampledPart({ min: grid.min, max }, toSource, levels, Math.SQRT1_2 * step);
  const { width, height } = part;
  const colour = new Float32Array(width * height);
  const alpha = levels.hasAlpha ? new Float32Array(width * height) : null;
  const bands = [...bandsWithin(part, part.outline)];
  await levels.make(part.level, bands, checkpoint);
  levels.copyOf(part)({ colour, alpha, length: width }, bands);
  const count = grid.width * grid.height;
  const colours = new Float32Array(3 * count);
  const isInside = new Uint8Array(count);
  const { a, b, c, d, e, f } = compose(toPixelsOf(part), toSource);
  const [right, bottom] = [width - 2, height - 2];
  for (let node = 0, row = 0; row < grid.height; row++) {
    const py = grid.min.y + row * grid.step;
    for (let column = 0; column < grid.width; column++, node++) {
      const px = grid.min.x + column * grid.step;
      const x = a * px + b * py + e;
      const y = c * px + d * py + f;
      const left = Math.min(Math.max(Math.floor(x), 0), right);
      const upper = Math.min(Math.max(Math.floor(y), 0), bottom);
      const fx = x - left;
      const fy = y - upper;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let corner = 0; corner < 4; corner++) {
        const pixel = (upper + (corner >> 1)) * width + left + (corner & 1);
        const weight = (corner & 1 ? fx : 1 - fx) * (corner & 2 ? fy : 1 - fy);
        const packed = colour[pixel] | 0;
        const share = (weight * (alpha === null ? 255 : alpha[pixel])) / (255 * 255);
        red += (packed >> 16) * share;
        green += ((packed >> 8) & 255) * share;
        blue += (packed & 255) * share;
      }
      colours[3 * node] = red;
      colours[3 * node + 1] = green;
      colours[3 * node + 2] = blue;
      const sourceX = toSource.a * px + toSource.b * py + toSource.e;
      const sourceY = toSource.c * px + toSource.d * py + toSource.f;
      isInside[node] = Number(
        sourceX >= 0 && sourceY >= 0 && sourceX <= levels.width && sourceY <= levels.height,
      );
    }
  }
  return { grid, colours, isInside };
}
