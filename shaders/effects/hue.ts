/** Rotates hues around the colour circle. */
import Type from "typebox";
import { definePointwise } from "./effect.ts";
import { turnArguments, turnKernel } from "./lib/turn.ts";

export const hue = definePointwise({
  id: "hue",
  title: "Hue",
  description: "Rotates all hues by an angle in OKLab, keeping the lightness of every colour.",
  params: Type.Object(
    {
      angle: Type.Number({
        minimum: -360,
        maximum: 360,
        default: -30,
        description: "Degrees; positive values rotate red towards yellow, green and blue.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { angle: 0 },
  kernel: turnKernel,
  prepare: ({ angle }) => turnArguments(angle, 1),
});
