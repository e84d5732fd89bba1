/** Changes the colour temperature of the light. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { layout, type RecordOf, RGB, type Rgb } from "../lib/layout.ts";
import { packRgb, unpack } from "../lib/pack.ts";
import { mix, saturate } from "../lib/paint.ts";
import { stages } from "../lib/stages.ts";
import { definePointwise } from "./effect.ts";
import { LINEAR } from "./lib/linear-table.ts";
import { decoded } from "./lib/oklab.ts";
import { whiteBalance } from "./lib/white-balance.ts";

const MATRIX = layout({ red: RGB, green: RGB, blue: RGB });

const product = (row: Rgb, light: Rgb) =>
  row.red * light.red + row.green * light.green + row.blue * light.blue;

/** Desaturates a colour to the grey of its luminance until it is in the gamut. */
function fitted(colour: Rgb): Rgb {
  const { red, green, blue } = colour;
  const luminance = saturate(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const most = Math.max(Math.max(red, green), blue);
  const least = Math.min(Math.min(red, green), blue);
  const below = (1 - luminance) / Math.max(most - luminance, 0.000001);
  const above = luminance / Math.max(luminance - least, 0.000001);
  const keep = Math.min(Math.min(below, above), 1);
  return mix({ red: luminance, green: luminance, blue: luminance }, colour, keep);
}

/** Multiplies a pixel's light by a matrix. Highlights lose the tint. */
function changeLight(
  this: KernelThis,
  colour: Float32Array,
  linear: Float32Array,
  matrix: RecordOf<typeof MATRIX>,
): number {
  const light = decoded(unpack(colour[this.thread.x]), linear);
  const changed = {
    red: product(matrix.red, light),
    green: product(matrix.green, light),
    blue: product(matrix.blue, light),
  };
  return packRgb(fitted(changed));
}

export const temperature = definePointwise({
  id: "temperature",
  title: "Temperature",
  description: "Makes the light warmer or cooler, like an amber or a blue filter.",
  params: Type.Object(
    {
      warmth: Type.Number({
        minimum: -80,
        maximum: 150,
        default: 40,
        description:
          "Shift in mired, like photographic filters: positive is warmer (18 is an 81A filter, 112 an 85), negative bluer (−18 is an 82A).",
      }),
      tint: Type.Number({
        minimum: -1,
        maximum: 1,
        default: 0,
        description:
          "Tint: negative is greener, positive more magenta; 1 is 0.02 in CIE 1960 u, v.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { warmth: 0, tint: 0 },
  kernel: {
    run: changeLight,
    helpers: [product, fitted, decoded, ...stages],
    records: { matrix: MATRIX },
  },
  prepare: ({ warmth, tint }) => [LINEAR, Float32Array.from(whiteBalance(warmth, tint * 0.02))],
});
