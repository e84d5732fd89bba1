/** Three families of stone. */
import { type Linear, lightened, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled } from "../../lib/random.ts";
import type { Palette } from "../palette.ts";

/** Colours and habit of a stone. */
export interface Stone {
  /** From one end of the clouds to the other. */
  readonly stops: readonly [Linear, Linear, Linear, Linear, Linear];
  readonly dark: Linear;
  readonly pale: Linear;
  readonly gold: Linear;
  /** How often the clouds run through the stops. */
  readonly bands: number;
  readonly flow: number;
  /** Strengths 0…1. */
  readonly veins: number;
  readonly stain: number;
  readonly gilding: number;
}

/** Draws a stone from a palette. */
export type StoneStyle = (random: Random, palette: Palette) => Stone;

/** Light ground, dark veins, after Calacatta. */
export const pale: StoneStyle = (random, { paper, ink, accent, colours }) => {
  const tint = pick(random, colours);
  const ground = lightened(mixed(paper, tint, 0.04), 0.02);
  return {
    stops: [
      mixed(ground, mixed(ink, tint, 0.5), 0.4),
      mixed(ground, mixed(ink, tint, 0.7), 0.2),
      ground,
      mixed(ground, tint, 0.1),
      mixed(ground, mixed(ink, tint, 0.7), 0.3),
    ],
    dark: mixed(ink, tint, 0.3),
    pale: mixed(ground, ink, 0.35),
    gold: accent,
    bands: 1,
    flow: between(random, 0.8, 1.2),
    veins: 0.9,
    stain: 0.55,
    gilding: pick(random, [0, 1, 1]),
  };
};

/** Dark ground, light veins, after Nero Marquina. */
export const dark: StoneStyle = (random, { paper, ink, accent, colours }) => {
  const tint = pick(random, colours);
  return {
    stops: [
      lightened(ink, -0.06),
      ink,
      mixed(ink, tint, 0.16),
      mixed(ink, tint, 0.42),
      mixed(ink, tint, 0.12),
    ],
    dark: mixed(paper, tint, 0.12),
    pale: mixed(ink, paper, 0.55),
    gold: lightened(accent, 0.04),
    bands: 1,
    flow: between(random, 0.8, 1.3),
    veins: 0.85,
    stain: 0.1,
    gilding: pick(random, [0, 1, 1]),
  };
};

/** Bands of several colours, after agate and malachite. */
export const banded: StoneStyle = (random, { paper, ink, accent, colours }) => {
  const [first, second, third] = shuffled(random, colours);
  return {
    stops: [
      mixed(ink, first, 0.4),
      first,
      mixed(first, paper, 0.55),
      second,
      mixed(third, paper, 0.35),
    ],
    dark: mixed(ink, first, 0.2),
    pale: mixed(paper, second, 0.2),
    gold: lightened(accent, 0.06),
    bands: between(random, 2.2, 4.2),
    flow: between(random, 0.9, 1.5),
    veins: 0.4,
    stain: 0.4,
    gilding: pick(random, [0, 0.9]),
  };
};
