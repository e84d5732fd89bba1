/** Brightens or darkens, keeping black and white. */
import Type from "typebox";
import { decodeChannel } from "../lib/colour.ts";
import { encodeChannel } from "../lib/pack.ts";
import { definePointwise } from "./effect.ts";
import { curveOf } from "./lib/curve.ts";
import { toneKernel } from "./lib/tone.ts";

/**
 * Light x times a gain in the shadows, rolled off so that 1 stays 1: g·x / (1 + (g − 1)·x), of
 * slope g at black and 1/g at white. It is E. Reinhard's tone curve (“Photographic tone
 * reproduction for digital images”, 2002) scaled to meet white; the inverse has the gain 1/g.
 */
function exposed(light: number, gain: number): number {
  return (gain * light) / (1 + (gain - 1) * light);
}

export const brightness = definePointwise({
  id: "brightness",
  title: "Brightness",
  description: "Brightens or darkens like a longer or shorter exposure, without clipping.",
  params: Type.Object(
    {
      stops: Type.Number({
        minimum: -3,
        maximum: 3,
        default: 0.5,
        description:
          "Stops of light that shadows gain or lose; the effect fades towards white, which stays white.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { stops: 0 },
  kernel: toneKernel,
  prepare: ({ stops }) => [
    curveOf((value) => encodeChannel(exposed(decodeChannel(value), 2 ** stops)) / 255),
  ],
});
