/** Light from a lamp beside the sheet. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";

/**
 * `params`: strength, place of the lamp in pixels, one over its squared height above the sheet in
 * pixels, what every part of the sheet gets besides, and red, green and blue of full light and of
 * shadow.
 *
 * A lamp at height h lights the point at distance d with 1/(1 + (d/h)²)^(3/2): the square of the
 * distance and the slant. Light is taken as the square of the encoded value; what is brighter
 * than before nears white without reaching it. Rounding is dithered, or plain grounds would show
 * rings.
 */
function light(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  height: number,
  params: Float32Array,
  table: Float32Array,
): number {
  const local = Math.floor((this.thread.x + 0.5) / width);
  const x = this.thread.x - local * width;
  const y = local + firstRow;
  const dx = x + 0.5 - params[1];
  const dy = y + 0.5 - params[2];
  const fall = 1 / (1 + (dx * dx + dy * dy) * params[3]);
  const lamp = fall * Math.sqrt(fall);
  const level = params[4] + (1 - params[4]) * lamp;
  const share = params[0];
  const forRed = 1 - share + share * level * (params[8] + (params[5] - params[8]) * lamp);
  const forGreen = 1 - share + share * level * (params[9] + (params[6] - params[9]) * lamp);
  const forBlue = 1 - share + share * level * (params[10] + (params[7] - params[10]) * lamp);

  const seat = table[x - Math.floor(x / 4096) * 4096] + y;
  const dither = (table[seat - Math.floor(seat / 4096) * 4096] + 0.5) / 4096;
  const packed = colour[this.thread.x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  const r = red * red;
  const g = green * green;
  const b = blue * blue;
  const overRed = 1 + (r / 65025) * Math.max(forRed - 1, 0);
  const overGreen = 1 + (g / 65025) * Math.max(forGreen - 1, 0);
  const overBlue = 1 + (b / 65025) * Math.max(forBlue - 1, 0);
  return (
    Math.floor(Math.min(Math.sqrt((r * forRed) / overRed) + dither, 255)) * 65536 +
    Math.floor(Math.min(Math.sqrt((g * forGreen) / overGreen) + dither, 255)) * 256 +
    Math.floor(Math.min(Math.sqrt((b * forBlue) / overBlue) + dither, 255))
  );
}

/** How much warmth 1 changes red, green and blue in full light, about 2900 K beside daylight. */
const WARM = [0.1, -0.03, -0.4] as const;

/** The same in the shadow, which the blue of the sky fills. */
const COOL = [-0.25, -0.04, 0.3] as const;

/** What the lamp brings to the place under it, where the sheet had 1 before. */
const LAMP = 1.18;

/** Daylight of the room, in the deepest shadow. */
const ROOM = 0.06;

export const lighting = defineSurfaceEffect({
  id: "lighting",
  title: "Lighting",
  description:
    "A lamp beside the sheet: bright and warm where it shines, darker and cooler away from it.",
  params: Type.Object(
    {
      strength: Strength(0.5, "Share of the light that comes from the lamp; 1 is a dark room."),
      x: Type.Number({
        minimum: -1,
        maximum: 2,
        default: 0.2,
        description: "Place of the lamp from the left edge (0) to the right one (1), or beyond.",
      }),
      y: Type.Number({
        minimum: -1,
        maximum: 2,
        default: 0.1,
        description: "Place of the lamp from the upper edge (0) to the lower one (1), or beyond.",
      }),
      softness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.6,
        description:
          "How gently the light falls off: 0 is a lamp close to the sheet, 1 one as far away as the sheet is large.",
      }),
      warmth: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.4,
        description: "How warm the light and how cool the shadow is; 0 keeps the colours.",
      }),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, x, y, softness, warmth }, { width, height }) {
    const above = (0.15 + 0.85 * softness * softness) * Math.hypot(width, height);
    const tints = [WARM, COOL].flatMap((tint) => tint.map((by) => LAMP * (1 + warmth * by)));
    const place = [x * width, y * height, 1 / (above * above)];
    return Float32Array.from([strength, ...place, ROOM, ...tints]);
  },
  kernel: { run: light },
});
