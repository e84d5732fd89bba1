/** Scales the chroma of colours. */
import Type from "typebox";
import { definePointwise } from "./effect.ts";
import { turnArguments, turnKernel } from "./lib/turn.ts";

export const saturation = definePointwise({
  id: "saturation",
  title: "Saturation",
  description:
    "Increases or reduces saturation at the same lightness and hue; vivid colours approach the limit of the screen smoothly.",
  params: Type.Object(
    {
      amount: Type.Number({
        minimum: 0,
        maximum: 3,
        default: 1.35,
        description:
          "Factor of the OKLab chroma: 0 is grey, 1 changes nothing, above 1 strengthens.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { amount: 1 },
  kernel: turnKernel,
  prepare: ({ amount }) => turnArguments(0, amount),
});
