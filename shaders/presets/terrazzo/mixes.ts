/** Mixes of terrazzo: sizes of chips, cement and sand. */
import { type Linear, lightness, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled, whole } from "../../lib/random.ts";
import { type Spot, scatter } from "../../lib/torus.ts";
import { randomGround, shiftedFrom } from "../ground.ts";
import type { Palette } from "../palette.ts";
import type { Breakage } from "./shards.ts";

/** One recipe; lengths in edges of the picture. */
export interface Mix {
  readonly spots: readonly Spot[];
  readonly breakage: Breakage;
  readonly cement: Linear;
  readonly stones: readonly Linear[];
  /** How much stone varies inside (0: flat print). */
  readonly life: number;
  /** Share of chips with a facet; how dark their rims are; how dark cement is beside them. */
  readonly faceted: number;
  readonly rim: number;
  readonly seam: number;
  /** How ragged edges are. */
  readonly ragged: number;
  /** Share of places with a grain of sand, coarse and fine. */
  readonly sand: readonly [number, number];
}

/** Makes a mix in a palette's colours. */
export type Recipe = (random: Random, palette: Palette) => Mix;

/** Chips from large to small: [most of them, smallest, largest]. */
function graded(
  random: Random,
  sizes: readonly (readonly [number, number, number])[],
  overlap: number,
): Spot[] {
  const laid: Spot[] = [];
  for (const [count, smallest, largest] of sizes) {
    laid.push(...scatter(random, laid, { count, smallest, largest, overlap, candidates: 14 }));
  }
  return laid;
}

/** Returns some of the palette's colours and pale stone that contrast with the cement. */
function stonesIn(random: Random, palette: Palette, cement: Linear, least: number): Linear[] {
  const hues = shuffled(random, [...palette.colours, palette.accent, palette.leaf]);
  const pale = mixed(palette.paper, hues[0] ?? palette.accent, 0.16);
  const deep = mixed(palette.ink, hues[1] ?? palette.accent, 0.3);
  const chosen = hues.slice(0, whole(random, 3, 6));
  const plain = lightness(cement) > 0.6 ? [deep, pale] : [pale, pale];
  return shiftedFrom([...chosen, ...plain.slice(0, whole(random, 1, 2))], cement, least);
}

/** Chips of all sizes close together, as in Venice. */
const venetian: Recipe = (random, palette) => {
  const cement = randomGround(random, palette, 0.35);
  const largest = between(random, 0.04, 0.08);
  const sizes = [
    [whole(random, 12, 40), largest * 0.6, largest],
    [150, 0.016, 0.034],
    [330, 0.007, 0.014],
  ] as const;
  return {
    spots: graded(random, sizes, 0.22),
    breakage: { gap: between(random, 0.004, 0.007), cuts: [3, 6], depth: [0.6, 1.2] },
    cement,
    stones: stonesIn(random, palette, cement, 0.1),
    life: 1,
    faceted: 0,
    rim: 0.12,
    seam: 0.14,
    ragged: 1,
    sand: [0.35, 0.5],
  };
};

/** Few large shards with splinters between, flat and bright. */
const modern: Recipe = (random, palette) => {
  const cement = randomGround(random, palette, 0.3);
  const largest = between(random, 0.11, 0.17);
  const sizes = [
    [whole(random, 6, 14), largest * 0.7, largest],
    [whole(random, 10, 40), 0.03, 0.06],
    [whole(random, 40, 160), 0.008, 0.018],
  ] as const;
  return {
    spots: graded(random, sizes, 0),
    breakage: { gap: between(random, 0.008, 0.02), cuts: [3, 6], depth: [0.55, 1.05] },
    cement,
    stones: stonesIn(random, palette, cement, 0.16),
    life: pick(random, [0, 0.35, 1]),
    faceted: pick(random, [0, 0.5, 1]),
    rim: 0,
    seam: 0.05,
    ragged: pick(random, [0.15, 0.5]),
    sand: pick(random, [
      [0, 0.25],
      [0.12, 0.2],
      [0.25, 0.4],
    ]),
  };
};

/** Loose chips on a wide ground. */
const confetti: Recipe = (random, palette) => {
  const cement = randomGround(random, palette, 0.3);
  const largest = between(random, 0.03, 0.06);
  const sizes = [
    [whole(random, 20, 50), largest * 0.6, largest],
    [whole(random, 60, 130), 0.013, 0.026],
    [whole(random, 60, 240), 0.005, 0.01],
  ] as const;
  return {
    spots: graded(random, sizes, 0),
    breakage: { gap: 0.012, cuts: [3, 5], depth: [0.35, 0.95] },
    cement,
    stones: stonesIn(random, palette, cement, 0.18),
    life: pick(random, [0, 0.5]),
    faceted: pick(random, [0, 0.6]),
    rim: 0,
    seam: 0.04,
    ragged: pick(random, [0.1, 0.5]),
    sand: pick(random, [
      [0.05, 0.08],
      [0.15, 0.3],
    ]),
  };
};

/** Slabs of veined marble laid like crazy paving. */
const palladiana: Recipe = (random, palette) => {
  const cement = randomGround(random, palette, 0.5);
  const largest = between(random, 0.1, 0.16);
  const sizes = [
    [whole(random, 14, 26), largest * 0.55, largest],
    [60, 0.03, 0.05],
    [90, 0.012, 0.025],
  ] as const;
  return {
    spots: graded(random, sizes, 0.3),
    breakage: { gap: between(random, 0.009, 0.016), cuts: [2, 5], depth: [0.7, 1.5] },
    cement,
    stones: stonesIn(random, palette, cement, 0.14),
    life: 1.3,
    faceted: 0.25,
    rim: 0.08,
    seam: 0.16,
    ragged: 0.6,
    sand: [0.3, 0.5],
  };
};

export const RECIPES: readonly Recipe[] = [venetian, modern, confetti, palladiana];
