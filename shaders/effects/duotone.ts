/** Maps lightness to a gradient between two inks. */
import Type from "typebox";
import { linearFromHex, mixed } from "../lib/colour.ts";
import { Colour, Strength } from "../parameters.ts";
import { definePointwise } from "./effect.ts";
import { rampArguments, rampKernel } from "./lib/ramp.ts";
import { Contrast, stretchOf } from "./lib/tone-range.ts";

/** Returns a lightness with more contrast in the middle: two inks have less of a range than the picture. */
const steepened = (lightness: number) =>
  lightness + 0.4 * (lightness * lightness * (3 - 2 * lightness) - lightness);

export const duotone = definePointwise({
  id: "duotone",
  title: "Duotone",
  description:
    "Prints the picture in two colours, one for the darks and one for the lights, mixed in OKLab.",
  params: Type.Object(
    {
      dark: Colour("#3b0d4f", "The colour that replaces black."),
      light: Colour("#ffd0a8", "The colour that replaces white."),
      contrast: Contrast(),
      strength: Strength(1, "Share of the two colours; 0 changes nothing."),
    },
    { additionalProperties: false },
  ),
  neutral: { strength: 0 },
  kernel: rampKernel,
  readsColours: ({ contrast }) => contrast > 0,
  prepare: ({ dark, light, contrast, strength }, colours) => {
    const [low, high] = [linearFromHex(dark), linearFromHex(light)];
    const tones = colours.map(({ colour: [lightness], share, spread = 0 }) => ({
      lightness,
      share,
      spread,
    }));
    const stretched = stretchOf(tones, contrast);
    return rampArguments(strength, (lightness) =>
      mixed(low, high, steepened(stretched(lightness))),
    );
  },
});
