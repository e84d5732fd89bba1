/** Darkens towards the corners. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { layout, type RecordOf } from "../lib/layout.ts";
import { latticeDither } from "../lib/noise.ts";
import { packDithered, unpack } from "../lib/pack.ts";
import { lit, pixelAt, saturate } from "../lib/paint.ts";
import { stages } from "../lib/stages.ts";
import { defineSurfaceEffect } from "./effect.ts";

const PARAMS = layout({ strength: 1, radius: 1, softness: 1 });

/**
 * Ellipses with the sheet's own proportions, the outermost through its corners: at distance d
 * (0 middle, 1 corners) the light is 1 − strength · smoothstep over the falloff.
 *
 * A share of the light is the same share^(1/γ) of the encoded value, so nothing has to be
 * decoded; 7/16 ≈ 1/2.29 follows the sRGB curve and is made of square roots. Rounding is
 * dithered, or dark plain grounds would show rings; where nothing is darkened it has no effect.
 */
function darkenCorners(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  height: number,
  params: RecordOf<typeof PARAMS>,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  table: Float32Array,
): number {
  const { row, column: x } = pixelAt(this.thread.x, width);
  const y = row + firstRow;
  const a = (2 * x + 1) / width - 1;
  const b = (2 * y + 1) / height - 1;
  const distance = Math.sqrt((a * a + b * b) * 0.5);
  const start = params.radius;
  const reach = (distance - start) / ((1 - start) * params.softness + 0.0001);
  const ramp = saturate(reach);
  const light = 1 - params.strength * ramp * ramp * (3 - 2 * ramp);
  const quarter = Math.sqrt(Math.sqrt(Math.max(light, 0)));
  const eighth = Math.sqrt(quarter);
  const factor = quarter * eighth * Math.sqrt(eighth);

  const darkened = lit(unpack(colour[this.thread.x]), factor);
  return packDithered(darkened, latticeDither(x, y, 134, 225));
}

export const vignette = defineSurfaceEffect({
  id: "vignette",
  title: "Vignette",
  description: "Darkens the sheet smoothly towards its corners and leaves the middle unchanged.",
  params: Type.Object(
    {
      strength: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "Share of the light that the corners lose: 0.5 is one stop, 1 is black.",
      }),
      radius: Type.Number({
        minimum: 0,
        maximum: 0.95,
        default: 0.35,
        description: "Start of the darkening, from the middle (0) to the corners (1).",
      }),
      softness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        description:
          "Width of the falloff, as a share of the distance from the radius to the corners; 0 is a hard edge.",
      }),
    },
    { additionalProperties: false },
  ),
  kernel: {
    run: darkenCorners,
    helpers: [...stages],
    records: { params: PARAMS },
  },
});
