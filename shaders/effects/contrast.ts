/** Spreads or narrows tones around mid-grey. */
import Type from "typebox";
import { definePointwise } from "./effect.ts";
import { curveOf } from "./lib/curve.ts";
import { toneKernel } from "./lib/tone.ts";

/** CIE L* 50 as an encoded value: 18.4 % of the light, a photographer's grey card. */
const MIDDLE = 0.4663;

/**
 * An S-curve of that slope in the middle, through black and white: the gain function of C. Schlick
 * (Graphics Gems IV, 1994) in the form that J. Barron gives for any middle (“A convenient
 * generalization of Schlick's bias and gain functions”, arXiv:2010.09714).
 */
function sigmoid(value: number, slope: number): number {
  if (value < MIDDLE) return (MIDDLE * value) / (value + slope * (MIDDLE - value));
  return 1 - ((1 - MIDDLE) * (1 - value)) / (1 - value + slope * (value - MIDDLE));
}

export const contrast = definePointwise({
  id: "contrast",
  title: "Contrast",
  description:
    "Increases or reduces contrast around mid-grey, rolling off towards black and white.",
  params: Type.Object(
    {
      amount: Type.Number({
        minimum: -1,
        maximum: 1,
        default: 0.2,
        description:
          "0 changes nothing; 1 quadruples the contrast at mid-grey, −1 makes everything mid-grey.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { amount: 0 },
  kernel: toneKernel,
  prepare: ({ amount }) => [
    curveOf((value) =>
      amount < 0 ? MIDDLE + (value - MIDDLE) * (1 + amount) : sigmoid(value, 1 + 3 * amount),
    ),
  ],
});
