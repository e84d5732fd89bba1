/** The dots of a printing screen. */
import Type, { type Static } from "typebox";
import { Colour, Strength } from "../parameters.ts";
import { defineTorusEffect, type Torus, type Workshop } from "./effect.ts";
import { pixelSize } from "./torus/bands.ts";
import { blockGrid } from "./torus/block-grid.ts";
import { screenLattice } from "./torus/block-lattice.ts";
import { type BlockMeans, blockMeans } from "./torus/block-means.ts";
import { blockShares } from "./torus/block-shares.ts";
import { radiusForCoverage } from "./torus/dot-size.ts";
import { dotPainter } from "./torus/dots.ts";
import { layOver } from "./torus/lay-over.ts";
import { FULL, type Light, lightOfHex, luminance } from "./torus/light.ts";

const Params = Type.Object(
  {
    dots: Type.Integer({
      minimum: 4,
      maximum: 128,
      default: 40,
      description:
        "Dots along an edge of the cell, about: rounded to what the symmetry allows, and to dots that are three pixels apart at least.",
    }),
    mode: Type.Enum(["ink", "colour"], {
      default: "ink",
      description:
        "ink: dots of one colour, the larger the darker the pattern. colour: each dot has its own colour, the purer the smaller it is.",
    }),
    size: Type.Number({
      minimum: 0.5,
      maximum: 1.5,
      default: 1,
      description: "Factor of the dots' diameter; 1 keeps the pattern's brightness.",
    }),
    ink: Colour(
      "#1d1b1a",
      "Colour of the dots in mode ink. Lighter than the paper, it is laid where the pattern is light.",
    ),
    paper: Colour("#f8f4ea", "Colour between the dots."),
    strength: Strength(1, "Share of the dots that is laid over the pattern; 0 changes nothing."),
  },
  { additionalProperties: false },
);

/** Dots are at least so many pixels apart. */
const MIN_DISTANCE = 3;

/** Power of the least share of a coloured dot: 1 has the purest colours, 0 the blocks' means. */
const PURITY = 0.75;

/** Share of a block that ink of one colour covers: its darkness, or its light when the ink is light. */
function inkCoverage(means: BlockMeans, paper: Light, ink: Light): Float64Array {
  const lightInk = luminance(ink) > luminance(paper);
  return means.red.map((red, block) => {
    const light = luminance([red, means.green[block], means.blue[block]]);
    return lightInk ? light : 1 - light;
  });
}

/**
 * The share of each block that its dot covers, and the dots' colours in place of the means: dot and
 * paper together give the mean. The least share that can do so has dots of the purest colours; a
 * little more keeps the small ones from being garish. What lies beyond the paper, lighter than a
 * light one or darker than a dark one, is left to the paper.
 */
function dotsOfMeans(means: BlockMeans, paper: Light): Float64Array {
  const end = luminance(paper) > 0.5 ? 0 : FULL;
  const planes = [means.red, means.green, means.blue] as const;
  return means.red.map((_, block) => {
    let least = 0;
    for (let channel = 0; channel < 3; channel++) {
      const way = end - paper[channel];
      if (way !== 0) least = Math.max(least, (planes[channel][block] - paper[channel]) / way);
    }
    const share = Math.min(least, 1) ** PURITY;
    for (let channel = 0; channel < 3; channel++) {
      const difference = planes[channel][block] - paper[channel];
      const dot = paper[channel] + difference / Math.max(share, 1e-6);
      planes[channel][block] = Math.min(Math.max(dot, 0), FULL);
    }
    return share;
  });
}

async function screen(torus: Torus, params: Static<typeof Params>, workshop: Workshop) {
  const { x, y } = pixelSize(torus);
  const count = Math.min(params.dots, 1 / (MIN_DISTANCE * Math.max(x, y)));
  const grid = blockGrid(torus, screenLattice(torus.lattice, count));
  const means = await blockMeans(torus, grid, blockShares(grid, torus), workshop);
  const paper = lightOfHex(params.paper);
  const ink = lightOfHex(params.ink);
  const coverage =
    params.mode === "ink" ? inkCoverage(means, paper, ink) : dotsOfMeans(means, paper);
  const radiusFor = radiusForCoverage(grid.basis, grid.pixel);
  const paintDots = dotPainter(grid, {
    radius: coverage.map((share) => radiusFor(Math.min(share * params.size ** 2, 1))),
    colours: params.mode === "ink" ? ink : means,
    paper,
  });
  return layOver(torus, params.strength, workshop, (row, layer) => {
    grid.locate(row);
    paintDots(layer);
    for (let x = 0; torus.alpha !== null && x < torus.width; x++) {
      layer.alpha[x] = torus.alpha[row * torus.width + x] / 255;
    }
  });
}

export const halftone = defineTorusEffect({
  id: "halftone",
  title: "Halftone",
  description: "Prints the pattern as round dots on paper, on a screen that keeps the symmetry.",
  params: Params,
  neutral: { strength: 0 },
  apply: async (torus, params, workshop) =>
    params.strength === 0 ? torus : screen(torus, params, workshop),
});
