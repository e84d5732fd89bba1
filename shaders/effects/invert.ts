/** The negative. */
import Type from "typebox";
import { Strength } from "../parameters.ts";
import { definePointwise } from "./effect.ts";
import { curveKernel, curveOf } from "./lib/curve.ts";

export const invert = definePointwise({
  id: "invert",
  title: "Invert",
  description:
    "Turns a picture into its negative: light becomes dark and every hue its complement.",
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
    // Encoded values are turned over: they are near to even steps of lightness, light is not.
    curveOf((value) => value + (1 - 2 * value) * strength),
  ],
});
