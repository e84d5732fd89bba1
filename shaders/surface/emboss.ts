/** Relief lighting from the print's own brightness. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { float32sOf, layout, type RecordOf, type Rgb } from "../lib/layout.ts";
import { packRounded, unpack } from "../lib/pack.ts";
import { pixelAt } from "../lib/paint.ts";
import { stages } from "../lib/stages.ts";
import { Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { lightOf } from "./shading.ts";

const NEIGHBOURS = 9;

const NEIGHBOUR = layout({
  /** Whole pixels. */
  right: 1,
  down: 1,
  weight: 1,
});

const PARAMS = layout({ strength: 1, neighbours: [NEIGHBOUR, NEIGHBOURS] });

/** How high a pixel is: bright is high, white 255 · 256. Whole, so that equal colours differ by 0. */
const heightOf = (colour: Rgb) => 54 * colour.red + 183 * colour.green + 19 * colour.blue;

/**
 * The weighted differences between each neighbour and the one opposite are the slope towards the light
 * over the depth, and the slope is lit. In plain areas the differences are exactly 0,
 * and nothing changes.
 *
 * Light is taken as the square of the encoded value. Dark inks get a gloss on slopes that face the
 * light, or a relief in black would not show.
 */
function pressRelief(
  this: KernelThis,
  colour: Float32Array,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  firstRow: number,
  width: number,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  height: number,
  params: RecordOf<typeof PARAMS>,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  table: Float32Array,
  reach: number,
): number {
  const { row: line, column: x } = pixelAt(this.thread.x, width);
  const row = line + reach;
  let slope = 0;
  for (let index = 0; index < NEIGHBOURS; index++) {
    const { right, down, weight } = params.neighbours[index];
    const there = Math.min(Math.max(x + right, 0), width - 1);
    const opposite = Math.min(Math.max(x - right, 0), width - 1);
    const climb =
      heightOf(unpack(colour[(row + down) * width + there])) -
      heightOf(unpack(colour[(row - down) * width + opposite]));
    slope += weight * climb;
  }
  const facing = slope / Math.sqrt(1 + slope * slope);
  const { strength } = params;
  const level = 1 + strength * (facing > 0 ? 1.4 * facing : 0.85 * facing);
  const gloss = 65025 * 0.06 * strength * Math.max(facing, 0);
  const { red, green, blue } = lightOf(unpack(colour[row * width + x]));
  return packRounded(
    Math.sqrt(litChannel(red, level, gloss)),
    Math.sqrt(litChannel(green, level, gloss)),
    Math.sqrt(litChannel(blue, level, gloss)),
  );
}

/** Returns `level` times the light of a channel and a gloss, less the nearer it is to white: none clips. */
function litChannel(light: number, level: number, gloss: number): number {
  const share = light / 65025;
  return (light * level) / (1 + Math.max(level - 1, 0) * share) + gloss * (1 - share);
}

/** Slope of a plane that climbs from black to white within the depth. */
const GAIN = 9;

/**
 * Nine neighbours (right, down, weight) with which differences make the derivative of a Gaussian
 * along `light`, a unit vector; a plane that climbs from black to white within the depth towards
 * the light has the slope −`GAIN`. They and those opposite fill the disc like the seeds of a
 * sunflower, so that a hard edge becomes a slope of many steps.
 */
function neighboursOf(wanted: number, light: { x: number; y: number }): number[] {
  // A depth of less than a pixel is shown as a weaker slope.
  const depth = Math.max(wanted, 1);
  const neighbours = Array.from({ length: NEIGHBOURS }, (_, index) => {
    const angle = index * Math.PI * (Math.sqrt(5) / 2 - 0.5);
    const away = depth * Math.sqrt((index + 1) / NEIGHBOURS);
    const [right, down] = [Math.round(Math.cos(angle) * away), Math.round(Math.sin(angle) * away)];
    const along = right * light.x + down * light.y;
    return { right, down, along, weight: along * Math.exp((-1.5 * away * away) / (depth * depth)) };
  });
  const climb = neighbours.reduce((sum, { along, weight }) => sum + 2 * along * weight, 0);
  const scale = (-GAIN * wanted) / (climb * 255 * 256);
  return neighbours.flatMap(({ right, down, weight }) => [right, down, scale * weight]);
}

export const emboss = defineSurfaceEffect({
  id: "emboss",
  title: "Emboss",
  description:
    "Adds relief to the print: bright parts stand out and are lit from one side. Colours and plain areas are kept.",
  params: Type.Object(
    {
      strength: Strength(0.5, "Visibility of the relief."),
      depth: Type.Number({
        minimum: 0.05,
        maximum: 3,
        default: 0.35,
        description: "Width of the relief's slopes in millimetres: 0.1 follows every detail.",
      }),
      angle: Type.Number({
        minimum: -180,
        maximum: 180,
        default: -125,
        description:
          "Direction of the light in degrees clockwise from the right edge: 90 is the bottom, −90 the top.",
      }),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, depth, angle }, { pixelsPerMillimetre }) {
    const turn = (angle * Math.PI) / 180;
    const light = { x: Math.cos(turn), y: Math.sin(turn) };
    return float32sOf(
      { strength, neighbours: neighboursOf(depth * pixelsPerMillimetre, light) },
      PARAMS,
    );
  },
  reach: ({ depth }, { pixelsPerMillimetre }) =>
    Math.ceil(Math.max(depth * pixelsPerMillimetre, 1)),
  detail: ({ depth }) => depth,
  kernel: {
    run: pressRelief,
    helpers: [heightOf, litChannel, lightOf, ...stages],
    records: { params: PARAMS },
    literals: { NEIGHBOURS },
  },
});
