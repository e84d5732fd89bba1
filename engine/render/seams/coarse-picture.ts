/** A source as seams are found for it: encoded colours at the nodes of a grid over the domain. */
import { type Affine, apply, compose } from "../../geometry/affine.ts";
import type { SourceLevels } from "../../image/source-levels.ts";
import { sampledPart, toPixelsOf } from "../placement.ts";
import { type NodeGrid, nodeAt } from "./grid.ts";

export interface CoarsePicture {
  readonly grid: NodeGrid;
  /** Red, green and blue at the nodes, 0…1, multiplied by alpha. */
  readonly channels: readonly [Float32Array, Float32Array, Float32Array];
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
  const part = sampledPart({ min: grid.min, max }, toSource, levels, step);
  const { width, height } = part;
  const colour = new Float32Array(width * height);
  const alpha = levels.hasAlpha ? new Float32Array(width * height) : null;
  const copy = await levels.prepareRegion(part, checkpoint);
  copy({ colour, alpha, length: width });
  const count = grid.width * grid.height;
  const channel = () => new Float32Array(count);
  const channels: CoarsePicture["channels"] = [channel(), channel(), channel()];
  const isInside = new Uint8Array(count);
  const toPart = compose(toPixelsOf(part), toSource);
  for (let node = 0, row = 0; row < grid.height; row++) {
    for (let column = 0; column < grid.width; column++, node++) {
      const point = nodeAt(grid, column, row);
      const { x, y } = apply(toPart, point);
      const left = Math.min(Math.max(Math.floor(x), 0), width - 2);
      const upper = Math.min(Math.max(Math.floor(y), 0), height - 2);
      const [fx, fy] = [x - left, y - upper];
      const at = upper * width + left;
      const take = (pixel: number, weight: number) => {
        const packed = colour[pixel];
        const share = (weight * (alpha === null ? 255 : alpha[pixel])) / (255 * 255);
        channels[0][node] += (packed >> 16) * share;
        channels[1][node] += ((packed >> 8) & 255) * share;
        channels[2][node] += (packed & 255) * share;
      };
      take(at, (1 - fx) * (1 - fy));
      take(at + 1, fx * (1 - fy));
      take(at + width, (1 - fx) * fy);
      take(at + width + 1, fx * fy);
      const place = apply(toSource, point);
      isInside[node] = Number(
        place.x >= 0 && place.y >= 0 && place.x <= levels.width && place.y <= levels.height,
      );
    }
  }
  return { grid, channels, isInside };
}
