/** Lighting by a lamp beside the sheet. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { float32sOf, layout, type RecordOf, RGB, type Rgb, XY } from "../lib/layout.ts";
import { ditherAt } from "../lib/noise.ts";
import { packDithered, unpack } from "../lib/pack.ts";
import { lit, mix, pixelAt } from "../lib/paint.ts";
import { stages } from "../lib/stages.ts";
import { Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { clampToWhite, lightOf, shading } from "./shading.ts";

const PARAMS = layout({
  strength: 1,
  /** Place of the lamp in pixels. */
  place: XY,
  /** One over its squared height above the sheet in pixels. */
  perHeight: 1,
  /** Ambient light. */
  room: 1,
  /** Full light, and shadow. */
  full: RGB,
  shadow: RGB,
});

/** Returns a colour in the light of a lamp; brighter colours approach white without reaching it. */
function lampLit(light: Rgb, level: Rgb): Rgb {
  const overRed = 1 + (light.red / 65025) * Math.max(level.red - 1, 0);
  const overGreen = 1 + (light.green / 65025) * Math.max(level.green - 1, 0);
  const overBlue = 1 + (light.blue / 65025) * Math.max(level.blue - 1, 0);
  return {
    red: Math.sqrt((light.red * level.red) / overRed),
    green: Math.sqrt((light.green * level.green) / overGreen),
    blue: Math.sqrt((light.blue * level.blue) / overBlue),
  };
}

/**
 * A lamp at height h lights the point at distance d with 1/(1 + (d/h)²)^(3/2): the square of the
 * distance and the slant. Light is taken as the square of the encoded value. Rounding is dithered, or
 * plain grounds would show rings.
 */
function light(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  height: number,
  params: RecordOf<typeof PARAMS>,
  table: Float32Array,
): number {
  const { row, column: x } = pixelAt(this.thread.x, width);
  const y = row + firstRow;
  const dx = x + 0.5 - params.place.x;
  const dy = y + 0.5 - params.place.y;
  const fall = 1 / (1 + (dx * dx + dy * dy) * params.perHeight);
  const lamp = fall * Math.sqrt(fall);
  const share = params.strength;
  const level = share * (params.room + (1 - params.room) * lamp);
  const tint = lit(mix(params.shadow, params.full, lamp), level);
  const tinted = {
    red: 1 - share + tint.red,
    green: 1 - share + tint.green,
    blue: 1 - share + tint.blue,
  };
  const dither = ditherAt(table, x, y);
  const shown = lampLit(lightOf(unpack(colour[this.thread.x])), tinted);
  return packDithered(clampToWhite(shown), dither);
}

/** How much warmth 1 changes red, green and blue in full light, about 2900 K beside daylight. */
const WARM = [0.1, -0.03, -0.4] as const;

/** The same in the shadow, which the blue of the sky fills. */
const COOL = [-0.25, -0.04, 0.3] as const;

/** Light of the lamp directly below it, relative to the sheet's previous light. */
const LAMP = 1.18;

/** Daylight of the room, in the deepest shadow. */
const ROOM = 0.06;

export const lighting = defineSurfaceEffect({
  id: "lighting",
  title: "Lighting",
  description:
    "Lighting by a lamp beside the sheet: bright and warm near it, darker and cooler away from it.",
  params: Type.Object(
    {
      strength: Strength(0.5, "Share of the lamp in the light; 1 is a dark room."),
      x: Type.Number({
        minimum: -1,
        maximum: 2,
        default: 0.2,
        description: "Position of the lamp from the left edge (0) to the right one (1), or beyond.",
      }),
      y: Type.Number({
        minimum: -1,
        maximum: 2,
        default: 0.1,
        description:
          "Position of the lamp from the upper edge (0) to the lower one (1), or beyond.",
      }),
      softness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.6,
        description:
          "Softness of the falloff: 0 is a lamp close to the sheet, 1 one at a distance of the sheet's size.",
      }),
      warmth: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.4,
        description: "Warmth of the light and coolness of the shadow; 0 keeps the colours.",
      }),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, x, y, softness, warmth }, { width, height }) {
    const above = (0.15 + 0.85 * softness * softness) * Math.hypot(width, height);
    const [full, shadow] = [WARM, COOL].map((tint) => tint.map((by) => LAMP * (1 + warmth * by)));
    const record = {
      strength,
      place: [x * width, y * height],
      perHeight: 1 / (above * above),
      room: ROOM,
      full,
      shadow,
    };
    return float32sOf(record, PARAMS);
  },
  kernel: {
    run: light,
    helpers: [lampLit, ...shading, ...stages],
    records: { params: PARAMS },
  },
});
