/** The mean colour of each block, in linear light. */
import type { EffectContext, Torus } from "../effect.ts";
import { inBands } from "./bands.ts";
import type { BlockGrid } from "./block-grid.ts";
import type { BlockShares } from "./block-shares.ts";
import { LIGHT_OF_SRGB } from "./light.ts";

/** One number a block: light 0…65535, weighted by alpha but not premultiplied; alpha 0…1. */
export interface BlockMeans {
  readonly red: Float64Array;
  readonly green: Float64Array;
  readonly blue: Float64Array;
  readonly alpha: Float64Array;
}

/** Computes means over the pixels of each block, with those on edges weighted by their shares. */
export async function blockMeans(
  torus: Torus,
  grid: BlockGrid,
  { shares, measure }: BlockShares,
  context: EffectContext,
): Promise<BlockMeans> {
  const { colour, alpha, width } = torus;
  const { number, corner, row } = grid;
  const red = new Float64Array(grid.count);
  const green = new Float64Array(grid.count);
  const blue = new Float64Array(grid.count);
  const opaque = new Float64Array(grid.count);
  const all = new Float64Array(grid.count);
  const addRow = (y: number) => {
    for (let x = 0; x < width; x++) {
      const packed = colour[y * width + x];
      const r = LIGHT_OF_SRGB[(packed >> 16) & 255];
      const g = LIGHT_OF_SRGB[(packed >> 8) & 255];
      const b = LIGHT_OF_SRGB[packed & 255];
      const visible = alpha === null ? 255 : alpha[y * width + x];
      for (let k = 0; k < 4; k++) {
        const share = shares[4 * x + k];
        if (share === 0) continue;
        const block = number[row.at[x] + corner[k]];
        const weight = share * visible;
        red[block] += r * weight;
        green[block] += g * weight;
        blue[block] += b * weight;
        opaque[block] += weight;
        all[block] += share;
      }
    }
  };
  await inBands(torus, context, (from, to) => {
    for (let y = from; y < to; y++) {
      grid.locate(y);
      measure();
      addRow(y);
    }
  });
  for (let block = 0; block < grid.count; block++) {
    const weight = Math.max(opaque[block], 1);
    red[block] /= weight;
    green[block] /= weight;
    blue[block] /= weight;
    opaque[block] /= Math.max(all[block], 1) * 255;
  }
  return { red, green, blue, alpha: opaque };
}
