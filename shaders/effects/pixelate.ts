/** Converts a pattern to a mosaic of blocks. */
import Type, { type Static } from "typebox";
import { Colour, Strength } from "../parameters.ts";
import { defineTorusEffect, type EffectContext, type Torus } from "./effect.ts";
import { pixelSize } from "./torus/bands.ts";
import { type BlockGrid, blockGrid } from "./torus/block-grid.ts";
import { tiledLattice } from "./torus/block-lattice.ts";
import { type BlockMeans, blockMeans } from "./torus/block-means.ts";
import { type BlockShares, blockShares } from "./torus/block-shares.ts";
import { compositeOver, type Layer } from "./torus/composite-over.ts";
import { type Light, lightOfHex } from "./torus/light.ts";

const Params = Type.Object(
  {
    blocks: Type.Integer({
      minimum: 2,
      maximum: 128,
      default: 24,
      description:
        "Number of blocks along an edge of the cell, rounded to what the symmetry allows, an even number for most groups, and to blocks of at least two pixels.",
    }),
    gap: Type.Number({
      minimum: 0,
      maximum: 0.5,
      default: 0,
      description: "Width of the joints between blocks, as a share of a block's width.",
    }),
    gap_colour: Colour("#2b2926", "Colour of the joints."),
    strength: Strength(1, "Opacity of the mosaic over the pattern; 0 changes nothing."),
  },
  { additionalProperties: false },
);

/** Minimum width of blocks in pixels. */
const MIN_BLOCK = 2;

/** Paints a row from its blocks' means, by the share of each block in a pixel. */
function paintRow(
  { row, number, corner }: BlockGrid,
  { shares, depth }: BlockShares,
  means: BlockMeans,
  joint: { readonly half: number; readonly light: Light },
  layer: Layer,
): void {
  const { half, light } = joint;
  for (let x = 0; x < row.at.length; x++) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    let all = 0;
    for (let k = 0; k < 4; k++) {
      const share = shares[4 * x + k];
      if (share === 0) continue;
      const block = number[row.at[x] + corner[k]];
      const weight = share * means.alpha[block];
      red += weight * means.red[block];
      green += weight * means.green[block];
      blue += weight * means.blue[block];
      alpha += weight;
      all += share;
    }
    const bare = half > 0 ? Math.min(Math.max(half - depth[x] + 0.5, 0), 1, 2 * half) : 0;
    const visible = Math.max(alpha, 1e-9);
    layer.red[x] = red / visible + (light[0] - red / visible) * bare;
    layer.green[x] = green / visible + (light[1] - green / visible) * bare;
    layer.blue[x] = blue / visible + (light[2] - blue / visible) * bare;
    layer.alpha[x] = alpha / all;
  }
}

async function mosaic(torus: Torus, params: Static<typeof Params>, context: EffectContext) {
  const { x, y } = pixelSize(torus);
  const blocks = Math.min(params.blocks, 1 / (MIN_BLOCK * Math.max(x, y)));
  const grid = blockGrid(torus, tiledLattice(torus.lattice, blocks));
  const parts = blockShares(grid, torus);
  const means = await blockMeans(torus, grid, parts, context);
  const [a] = grid.basis;
  const joint = {
    half: (params.gap * Math.hypot(a.x, a.y)) / grid.pixel / 2,
    light: lightOfHex(params.gap_colour),
  };
  return compositeOver(torus, params.strength, context, (row, layer) => {
    grid.locate(row);
    parts.measure();
    paintRow(grid, parts, means, joint, layer);
  });
}

export const pixelate = defineTorusEffect({
  id: "pixelate",
  title: "Pixelate",
  description:
    "Divides the pattern into blocks of one colour: squares, rectangles or hexagons that keep the symmetry.",
  params: Params,
  neutral: { strength: 0 },
  apply: async (torus, params, context) =>
    params.strength === 0 ? torus : mosaic(torus, params, context),
});
