/** Inverts colours. */
import Type from "typebox";
import { Strength } from "../parameters.ts";
import { definePointwise } from "./effect.ts";
import { curveKernel, curveOf } from "./lib/curve.ts";

export const invert = definePointwise({
  id: "invert",
  title: "Invert",
  description: "Inverts a picture: light becomes dark and every hue its complement.",
  params: Type.Object(
    {
      strength: Strength(
        1,
        "Share of the negative: 0 changes nothing, 0.5 is grey, 1 is the negative.",
      ),
    },
    { additionalProperties: false },
  ),
  neutral: { strength: 0 },
  kernel: curveKernel,
  prepare: ({ strength }) => [
    // Encoded values are inverted, because they are nearly uniform in lightness.
    curveOf((value) => value + (1 - 2 * value) * strength),
  ],
});
