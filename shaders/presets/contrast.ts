/** Colours chosen so that they can be told from what they lie on. */
import { type Linear, lightness } from "../lib/colour.ts";
import { pick, type Random } from "../lib/random.ts";
import { movedOff } from "./ground.ts";

/**
 * Those of `colours` that differ from `ground` by `least` in OKLab lightness, in their order. Where
 * fewer than two do, all of them, those that are too near moved away from it.
 */
export function standingOff(
  colours: readonly Linear[],
  ground: Linear,
  least: number,
): readonly Linear[] {
  const level = lightness(ground);
  const clear = colours.filter((colour) => Math.abs(lightness(colour) - level) >= least);
  return clear.length > 1 ? clear : movedOff(colours, ground, least);
}

/** One of `colours`, as far from `neighbour` in lightness as it has to be to show beside it. */
export function pickBeside(random: Random, colours: readonly Linear[], neighbour: Linear): Linear {
  return pick(random, standingOff(colours, neighbour, 0.13));
}
