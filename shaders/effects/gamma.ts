/** Shifts the midtones, keeping black and white. */
import Type from "typebox";
import { definePointwise } from "./effect.ts";
import { curveOf } from "./lib/curve.ts";
import { toneKernel } from "./lib/tone.ts";

export const gamma = definePointwise({
  id: "gamma",
  title: "Gamma",
  description:
    "Lightens or darkens the midtones by a power, like the middle slider of a levels dialog.",
  params: Type.Object(
    {
      gamma: Type.Number({
        minimum: 0.2,
        maximum: 5,
        default: 1.25,
        description:
          "Encoded values are raised to 1/gamma: above 1 midtones become lighter, below 1 darker.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { gamma: 1 },
  kernel: toneKernel,
  prepare: ({ gamma }) => [curveOf((value) => value ** (1 / gamma))],
});
