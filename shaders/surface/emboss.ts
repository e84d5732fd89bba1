/** Relief from the print's own brightness. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";

/**
 * `params`: strength, then nine neighbours as steps right and down in whole pixels with a
 * weight. Bright is high: the weighted differences between each neighbour and the one opposite are
 * the slope towards the light over the depth, and the slope is what is lit. Where a print is plain
 * the differences are 0 to the bit, and nothing changes.
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
  params: Float32Array,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  table: Float32Array,
  reach: number,
): number {
  const local = Math.floor((this.thread.x + 0.5) / width);
  const x = this.thread.x - local * width;
  const row = local + reach;
  let slope = 0;
  for (let neighbour = 0; neighbour < 9; neighbour++) {
    const right = params[1 + 3 * neighbour];
    const down = params[2 + 3 * neighbour];
    const there = Math.min(Math.max(x + right, 0), width - 1);
    const opposite = Math.min(Math.max(x - right, 0), width - 1);
    const one = colour[(row + down) * width + there];
    const other = colour[(row - down) * width + opposite];
    const r1 = Math.floor(one / 65536);
    const r2 = Math.floor(other / 65536);
    const g1 = Math.floor(one / 256) - r1 * 256;
    const g2 = Math.floor(other / 256) - r2 * 256;
    const b1 = one - r1 * 65536 - g1 * 256;
    const b2 = other - r2 * 65536 - g2 * 256;
    // Whole numbers: 255 · 256 from black to white.
    const climb = 54 * (r1 - r2) + 183 * (g1 - g2) + 19 * (b1 - b2);
    slope += params[3 + 3 * neighbour] * climb;
  }
  const lit = slope / Math.sqrt(1 + slope * slope);
  const strength = params[0];
  const factor = 1 + strength * (lit > 0 ? 1.4 * lit : 0.85 * lit);
  const gloss = 65025 * 0.06 * strength * Math.max(lit, 0);

  const packed = colour[row * width + x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  return (
    Math.floor(Math.min(Math.sqrt(red * red * factor + gloss), 255) + 0.5) * 65536 +
    Math.floor(Math.min(Math.sqrt(green * green * factor + gloss), 255) + 0.5) * 256 +
    Math.floor(Math.min(Math.sqrt(blue * blue * factor + gloss), 255) + 0.5)
  );
}

/** Slope of a plane that climbs from black to white within the depth. */
const GAIN = 9;

/**
 * Nine neighbours (right, down, weight) with which differences make the derivative of a Gaussian
 * along `light`, a unit vector; a plane that climbs from black to white within the depth towards
 * the light has the slope −`GAIN`. They and those opposite fill the disc like the seeds of a
 * sunflower, so that a hard edge becomes a slope of many steps.
 */
function neighboursOf(depth: number, light: { x: number; y: number }): number[] {
  const neighbours = Array.from({ length: 9 }, (_, index) => {
    const angle = index * Math.PI * (Math.sqrt(5) / 2 - 0.5);
    const away = depth * Math.sqrt((index + 1) / 9);
    const [right, down] = [Math.round(Math.cos(angle) * away), Math.round(Math.sin(angle) * away)];
    const along = right * light.x + down * light.y;
    return { right, down, along, weight: along * Math.exp((-1.5 * away * away) / (depth * depth)) };
  });
  const climb = neighbours.reduce((sum, { along, weight }) => sum + 2 * along * weight, 0);
  const scale = (-GAIN * depth) / (climb * 255 * 256);
  return neighbours.flatMap(({ right, down, weight }) => [right, down, scale * weight]);
}

export const emboss = defineSurfaceEffect({
  id: "emboss",
  title: "Emboss",
  description:
    "Presses the print into relief: bright parts stand out and are lit from one side, and colours stay. Plain parts stay as they are.",
  params: Type.Object(
    {
      strength: Strength(0.5, "How much the relief shows."),
      depth: Type.Number({
        minimum: 1,
        maximum: 32,
        default: 4,
        description: "Width of the relief's slopes in pixels: 1 follows every detail.",
      }),
      angle: Type.Number({
        minimum: -180,
        maximum: 180,
        default: -125,
        description:
          "Side that the light comes from, in degrees clockwise from the right edge: 90 is the bottom, −90 the top.",
      }),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, depth, angle }) {
    const turn = (angle * Math.PI) / 180;
    const light = { x: Math.cos(turn), y: Math.sin(turn) };
    return Float32Array.from([strength, ...neighboursOf(depth, light)]);
  },
  reach: ({ depth }) => Math.ceil(depth),
  kernel: { run: pressRelief },
});
