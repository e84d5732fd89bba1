/** Chooses colours that contrast with their ground. */
import { type Linear, lightness } from "../lib/colour.ts";
import { pick, type Random } from "../lib/random.ts";
import { shiftedFrom } from "./ground.ts";

/**
 * Returns those of `colours` that differ from `ground` by `least` in OKLab lightness, in order. If
 * fewer than two do, returns all of them, with those that are too near shifted away.
 */
export function contrasting(
  colours: readonly Linear[],
  ground: Linear,
  least: number,
): readonly Linear[] {
  const level = lightness(ground);
  const clear = colours.filter((colour) => Math.abs(lightness(colour) - level) >= least);
  return clear.length > 1 ? clear : shiftedFrom(colours, ground, least);
}

/** Returns one of `colours`, with enough contrast to `neighbour` in lightness. */
export function pickContrasting(
  random: Random,
  colours: readonly Linear[],
  neighbour: Linear,
): Linear {
  return pick(random, contrasting(colours, neighbour, 0.13));
}
