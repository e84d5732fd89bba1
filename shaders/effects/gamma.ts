/** The midtones moved, black and white kept. */
import Type from "typebox";
import { definePointwise } from "./effect.ts";
import { curveOf } from "./lib/curve.ts";
import { toneKernel } from "./lib/tone.ts";

export const gamma = definePointwise({
  id: "gamma",
  title: "Gamma",
  description:
    "Lifts or lowers the midtones by a power, as the middle slider of a levels dialog does.",
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
