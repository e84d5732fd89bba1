/** The colour of the light, warmer or cooler. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { definePointwise } from "./effect.ts";
import { LINEAR } from "./lib/linear-table.ts";
import { whiteBalance } from "./lib/white-balance.ts";

/**
 * The light of a pixel through a matrix of three rows. What leaves the gamut is drawn towards the
 * grey of its own luminance until it fits: highlights lose the tint and stay clean.
 */
function changeLight(
  this: KernelThis,
  colour: Float32Array,
  linear: Float32Array,
  matrix: Float32Array,
): number {
  const packed = colour[this.thread.x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  const x = linear[red];
  const y = linear[green];
  const z = linear[blue];
  const r = matrix[0] * x + matrix[1] * y + matrix[2] * z;
  const g = matrix[3] * x + matrix[4] * y + matrix[5] * z;
  const b = matrix[6] * x + matrix[7] * y + matrix[8] * z;
  const luminance = Math.min(Math.max(0.2126 * r + 0.7152 * g + 0.0722 * b, 0), 1);
  const most = Math.max(Math.max(r, g), b);
  const least = Math.min(Math.min(r, g), b);
  const below = (1 - luminance) / Math.max(most - luminance, 0.000001);
  const above = luminance / Math.max(luminance - least, 0.000001);
  const keep = Math.min(Math.min(below, above), 1);
  const newR = Math.min(Math.max(luminance + (r - luminance) * keep, 0), 1);
  const newG = Math.min(Math.max(luminance + (g - luminance) * keep, 0), 1);
  const newB = Math.min(Math.max(luminance + (b - luminance) * keep, 0), 1);
  // The sRGB curve as `encodeChannel` of pack.ts has it.
  const red2 = Math.sqrt(newR);
  const red4 = Math.sqrt(red2);
  const red8 = Math.sqrt(red4);
  const green2 = Math.sqrt(newG);
  const green4 = Math.sqrt(green2);
  const green8 = Math.sqrt(green4);
  const blue2 = Math.sqrt(newB);
  const blue4 = Math.sqrt(blue2);
  const blue8 = Math.sqrt(blue4);
  const red1 =
    newR < 0.0031308
      ? 12.92 * newR
      : 0.64296684 * red2 + 0.71141309 * red4 - 0.3365769 * red8 - 0.01776697 * newR;
  const green1 =
    newG < 0.0031308
      ? 12.92 * newG
      : 0.64296684 * green2 + 0.71141309 * green4 - 0.3365769 * green8 - 0.01776697 * newG;
  const blue1 =
    newB < 0.0031308
      ? 12.92 * newB
      : 0.64296684 * blue2 + 0.71141309 * blue4 - 0.3365769 * blue8 - 0.01776697 * newB;
  return (
    Math.floor(255 * red1 + 0.5) * 65536 +
    Math.floor(255 * green1 + 0.5) * 256 +
    Math.floor(255 * blue1 + 0.5)
  );
}

export const temperature = definePointwise({
  id: "temperature",
  title: "Temperature",
  description: "Makes the light warmer or cooler, as an amber or a blue filter does.",
  params: Type.Object(
    {
      warmth: Type.Number({
        minimum: -80,
        maximum: 150,
        default: 40,
        description:
          "Shift in mired, as filters are marked: positive is warmer (18 as an 81A filter, 112 as an 85), negative bluer (−18 as an 82A).",
      }),
      tint: Type.Number({
        minimum: -1,
        maximum: 1,
        default: 0,
        description:
          "Across the warmth: negative greener, positive more magenta; 1 is 0.02 in CIE 1960 u, v.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { warmth: 0, tint: 0 },
  kernel: changeLight,
  prepare: ({ warmth, tint }) => [LINEAR, Float32Array.from(whiteBalance(warmth, tint * 0.02))],
});
