/** Black and white, as film sees through a filter. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { Strength } from "../parameters.ts";
import { definePointwise } from "./effect.ts";
import { LINEAR } from "./lib/linear-table.ts";

/**
 * Shares of red, green and blue light that the filters let through. With none, a colour becomes
 * the grey of its own luminance (ITU-R BT.709); a filter lightens its own colour and darkens the
 * opposite one, and the exposure makes up for what it takes from white.
 */
const FILTERS = {
  none: [1, 1, 1],
  yellow: [1, 1, 0.1],
  orange: [1, 0.5, 0.05],
  red: [1, 0.08, 0.02],
  green: [0.25, 1, 0.25],
  blue: [0.1, 0.3, 1],
} as const;

const filterIds = Object.keys(FILTERS) as (keyof typeof FILTERS)[];

/**
 * Mixes light with its own grey: so, without a filter, luminance stays at every strength.
 * @param linear linear light of the bytes 0…255
 * @param settings weights of red, green and blue, which sum to 1, and the share of grey
 */
function removeColour(
  this: KernelThis,
  colour: Float32Array,
  linear: Float32Array,
  settings: Float32Array,
): number {
  const packed = colour[this.thread.x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  const x = linear[red];
  const y = linear[green];
  const z = linear[blue];
  const grey = settings[0] * x + settings[1] * y + settings[2] * z;
  const share = settings[3];
  const newR = x + (grey - x) * share;
  const newG = y + (grey - y) * share;
  const newB = z + (grey - z) * share;
  // The sRGB curve as `encodeChannel` of pack.ts has it.
  const r2 = Math.sqrt(newR);
  const r4 = Math.sqrt(r2);
  const r8 = Math.sqrt(r4);
  const g2 = Math.sqrt(newG);
  const g4 = Math.sqrt(g2);
  const g8 = Math.sqrt(g4);
  const b2 = Math.sqrt(newB);
  const b4 = Math.sqrt(b2);
  const b8 = Math.sqrt(b4);
  const rc =
    newR < 0.0031308
      ? 12.92 * newR
      : 0.64296684 * r2 + 0.71141309 * r4 - 0.3365769 * r8 - 0.01776697 * newR;
  const gc =
    newG < 0.0031308
      ? 12.92 * newG
      : 0.64296684 * g2 + 0.71141309 * g4 - 0.3365769 * g8 - 0.01776697 * newG;
  const bc =
    newB < 0.0031308
      ? 12.92 * newB
      : 0.64296684 * b2 + 0.71141309 * b4 - 0.3365769 * b8 - 0.01776697 * newB;
  return (
    Math.floor(255 * rc + 0.5) * 65536 +
    Math.floor(255 * gc + 0.5) * 256 +
    Math.floor(255 * bc + 0.5)
  );
}

export const grayscale = definePointwise({
  id: "grayscale",
  title: "Grayscale",
  description: "Black and white of the same luminance, or as film sees through a coloured filter.",
  params: Type.Object(
    {
      filter: Type.Enum(filterIds, {
        default: "none",
        description:
          "Coloured filter before the lens: lightens its own colour, darkens the opposite.",
      }),
      strength: Strength(1, "Share of grey: 0 changes nothing, 1 leaves no colour."),
    },
    { additionalProperties: false },
  ),
  neutral: { strength: 0 },
  kernel: removeColour,
  prepare({ filter, strength }) {
    const [red, green, blue] = FILTERS[filter];
    const through = [0.2126 * red, 0.7152 * green, 0.0722 * blue];
    const white = through.reduce((sum, light) => sum + light);
    return [LINEAR, Float32Array.of(...through.map((light) => light / white), strength)];
  },
});
