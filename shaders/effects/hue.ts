/** Hues turned around the colour circle. */
import Type from "typebox";
import { definePointwise } from "./effect.ts";
import { turnArguments, turnKernel } from "./lib/turn.ts";

export const hue = definePointwise({
  id: "hue",
  title: "Hue",
  description: "Turns all hues by an angle in OKLab, so that the lightness of every colour stays.",
  params: Type.Object(
    {
      angle: Type.Number({
        minimum: -360,
        maximum: 360,
        default: -30,
        description: "Degrees: positive turns red towards yellow, green and blue.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { angle: 0 },
  kernel: turnKernel,
  prepare: ({ angle }) => turnArguments(angle, 1),
});
