/** Halftone dots of a printing screen. */
import Type, { type Static } from "typebox";
import { linearFromOklab } from "../lib/colour.ts";
import { encodeChannel } from "../lib/pack.ts";
import { Colour, Strength } from "../parameters.ts";
import { defineTorusEffect, type EffectContext, type PictureColour, type Torus } from "./effect.ts";
import { Contrast, stretchOf, type Tone } from "./lib/tone-range.ts";
import { pixelSize } from "./torus/bands.ts";
import { blockGrid } from "./torus/block-grid.ts";
import { screenLattice } from "./torus/block-lattice.ts";
import { type BlockMeans, blockMeans } from "./torus/block-means.ts";
import { blockShares } from "./torus/block-shares.ts";
import { compositeOver } from "./torus/composite-over.ts";
import { radiusForCoverage } from "./torus/dot-size.ts";
import { dotPainter } from "./torus/dots.ts";
import { FULL, type Light, lightOfHex, luminance } from "./torus/light.ts";

const Params = Type.Object(
  {
    dots: Type.Integer({
      minimum: 4,
      maximum: 128,
      default: 56,
      description:
        "Approximate number of dots along an edge of the cell, rounded to what the symmetry allows and to a distance of at least three pixels.",
    }),
    mode: Type.Enum(["ink", "colour"], {
      default: "ink",
      description:
        "ink: dots of one colour, larger where the pattern is darker. colour: each dot has its own colour, purer for smaller dots.",
    }),
    size: Type.Number({
      minimum: 0.5,
      maximum: 1.5,
      default: 1,
      description:
        "Factor of the dots' diameter. 1: as much ink as the pattern looks dark once `contrast` has stretched it, or dots and paper together have its colour.",
    }),
    contrast: Contrast(" Mode ink only."),
    ink: Colour(
      "#1d1b1a",
      "Colour of the dots in mode ink. An ink lighter than the paper prints where the pattern is light.",
    ),
    paper: Colour("#f8f4ea", "Colour between the dots."),
    strength: Strength(1, "Opacity of the dots over the pattern; 0 changes nothing."),
  },
  { additionalProperties: false },
);

/** Minimum distance of dots in pixels. */
const MIN_DISTANCE = 3;

/** Exponent of a coloured dot's minimum share: 1 gives the purest colours, 0 the blocks' means. */
const PURITY = 0.75;

/**
 * Share of a block that ink of one colour covers: its darkness as eyes see it, or its lightness if the ink is
 * light. By light alone a photograph would be nearly all ink, since a middle grey reflects a fifth of it.
 */
function inkCoverage(
  means: BlockMeans,
  paper: Light,
  ink: Light,
  stretched: (lightness: number) => number,
): Float64Array {
  const lightInk = luminance(ink) > luminance(paper);
  return means.red.map((red, block) => {
    const lightness = stretched(lightnessOf([red, means.green[block], means.blue[block]]));
    return lightInk ? lightness : 1 - lightness;
  });
}

const lightnessOf = (light: Light) => encodeChannel(luminance(light)) / 255;

/**
 * Computes the share of each block that its dot covers, and replaces means by dots' colours: dot and
 * paper together give the mean. The least share that can do so has dots of the purest colours; a
 * little more keeps the small ones from being garish. Colours beyond the paper, lighter than a
 * light one or darker than a dark one, become paper.
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

const tonesOf = (colours: readonly PictureColour[]): Tone[] =>
  colours.map(({ colour: [lightness, a, b], share, spread = 0 }) => {
    const [low, middle, high] = [-spread, 0, spread].map((by) => {
      const [red, green, blue] = linearFromOklab([lightness + by, a, b]);
      return lightnessOf([red * FULL, green * FULL, blue * FULL]);
    });
    return { lightness: middle, share, spread: (high - low) / 2 };
  });

async function screen(torus: Torus, params: Static<typeof Params>, context: EffectContext) {
  const { x, y } = pixelSize(torus);
  const count = Math.min(params.dots, 1 / (MIN_DISTANCE * Math.max(x, y)));
  const grid = blockGrid(torus, screenLattice(torus.lattice, count));
  const means = await blockMeans(torus, grid, blockShares(grid, torus), context);
  const paper = lightOfHex(params.paper);
  const ink = lightOfHex(params.ink);
  const coverage =
    params.mode === "ink"
      ? inkCoverage(means, paper, ink, stretchOf(tonesOf(context.colours), params.contrast))
      : dotsOfMeans(means, paper);
  const radiusFor = radiusForCoverage(grid.basis, grid.pixel);
  const paintDots = dotPainter(grid, {
    radius: coverage.map((share) => radiusFor(Math.min(share * params.size ** 2, 1))),
    colours: params.mode === "ink" ? ink : means,
    paper,
  });
  return compositeOver(torus, params.strength, context, (row, layer) => {
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
  detail: ({ dots }) => 1 / (6 * dots),
  readsColours: ({ mode, contrast }) => mode === "ink" && contrast > 0,
  neutral: { strength: 0 },
  apply: async (torus, params, context) =>
    params.strength === 0 ? torus : screen(torus, params, context),
});
