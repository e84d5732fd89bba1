/** Reduces a picture to two colours. */
import Type from "typebox";
import { linearFromHex, mixed } from "../lib/colour.ts";
import { Colour, Strength } from "../parameters.ts";
import { definePointwise } from "./effect.ts";
import { rampArguments, rampKernel } from "./lib/ramp.ts";

export const threshold = definePointwise({
  id: "threshold",
  title: "Threshold",
  description:
    "Maps everything lighter than a level to one colour and the rest to another, like a linocut.",
  params: Type.Object(
    {
      level: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.55,
        description: "OKLab lightness that separates dark from light; mid-grey is 0.57.",
      }),
      softness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.06,
        description: "Range of lightness of the transition from dark to light; 0 is a hard edge.",
      }),
      dark: Colour("#16161a", "Colour below the level."),
      light: Colour("#f6f3ec", "Colour above the level."),
      strength: Strength(1, "Share of the two colours; 0 changes nothing."),
    },
    { additionalProperties: false },
  ),
  neutral: { strength: 0 },
  kernel: rampKernel,
  prepare: ({ level, softness, dark, light, strength }) => {
    const [low, high] = [linearFromHex(dark), linearFromHex(light)];
    return rampArguments(strength, (lightness) => {
      const way = (lightness - level) / Math.max(softness, 1e-9) + 0.5;
      const share = Math.min(Math.max(way, 0), 1);
      return mixed(low, high, share * share * (3 - 2 * share));
    });
  },
});
