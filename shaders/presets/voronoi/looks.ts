/** Materials of cells. */
import { type Linear, lightened, mixed } from "../../lib/colour.ts";
import { layout, numbersOf, type RecordOf, RGB } from "../../lib/layout.ts";
import { between, pick, type Random } from "../../lib/random.ts";
import type { Palette } from "../palette.ts";

/** Appearance of cells; lengths in radii of the cell unless noted otherwise. */
export interface Look {
  /** Noise inside: waves a radius, how much shorter they are along the cell, strengths. */
  readonly waves: number;
  readonly stretch: number;
  readonly marbling: number;
  readonly streaks: number;
  /** Bands along the border: strength, number a radius. */
  readonly banding: number;
  readonly bands: number;
  /** Darkening towards the border, and how far in it reaches. */
  readonly bevel: number;
  readonly bevelReach: number;
  /** Light from the upper left; a highlight. */
  readonly light: number;
  readonly gloss: number;
  /** Half the joint's width in edges of the picture, its colour, and how much its middle shines. */
  readonly joint: number;
  readonly jointColour: Linear;
  readonly jointShine: number;
}

/** A look as the kernel reads it; `range` is the distance beyond which sites have no effect. */
export const LOOK = layout({
  range: 1,
  waves: 1,
  stretch: 1,
  marbling: 1,
  banding: 1,
  bands: 1,
  bevel: 1,
  bevelReach: 1,
  light: 1,
  joint: 1,
  streaks: 1,
  gloss: 1,
  jointShine: 1,
  jointColour: RGB,
});
export type LookRecord = RecordOf<typeof LOOK>;

/** Returns a look as numbers, with that distance first. */
export function lookTable(range: number, look: Look): Float32Array {
  return Float32Array.from(numbersOf({ ...look, range }, LOOK));
}

/** Draws a look from a palette; `spacing` is the usual radius of a cell in edges of the picture. */
export type Style = (random: Random, palette: Palette, spacing: number) => Look;

/** Panes in lead. */
export const glass: Style = (random, { ink }, spacing) => ({
  waves: 2.2,
  stretch: 0.35,
  marbling: 1.5,
  streaks: 0.85,
  banding: 0.1,
  bands: 2.5,
  bevel: 0.35,
  bevelReach: 0.5,
  light: 0.16,
  gloss: 0,
  joint: spacing * between(random, 0.07, 0.11),
  jointColour: lightened(ink, -0.08),
  jointShine: 2.2,
});

/** Domes in mortar or shade. */
export const pebbles: Style = (random, { ink, paper }, spacing) => ({
  waves: 3,
  stretch: 0.6,
  marbling: 0.8,
  streaks: 0.35,
  banding: 0,
  bands: 1,
  bevel: 0.62,
  bevelReach: 0.85,
  light: 0.28,
  gloss: 0.3,
  joint: spacing * between(random, 0.13, 0.2),
  jointColour: pick(random, [lightened(ink, -0.05), mixed(paper, ink, 0.25)]),
  jointShine: 0,
});

/** Agates, banded along their rims. */
export const slices: Style = (random, { paper, ink }, spacing) => ({
  waves: 1.3,
  stretch: 1,
  marbling: 1.2,
  streaks: 0.2,
  banding: 0.5,
  bands: between(random, 6, 11),
  bevel: 0.1,
  bevelReach: 0.3,
  light: 0.05,
  gloss: 0,
  joint: spacing * between(random, 0.05, 0.1),
  jointColour: pick(random, [paper, lightened(ink, -0.03)]),
  jointShine: 0,
});
