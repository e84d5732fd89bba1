/** The grain of photographic film. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { type Random, randomSequence } from "../lib/random.ts";
import { defineSurfaceEffect } from "./effect.ts";

/**
 * `params`: strength, size and colour, then 4096 pairs for columns and as many for rows (see
 * `pairs`).
 *
 * Two lattices of random values, one turned by the angle of a 3-4-5 triangle and a little finer,
 * so that no grid shows. Between its points a lattice is interpolated and divided by the root of
 * the summed squares of the weights: its variance is the same everywhere, and single points are
 * no brighter than the rest.
 *
 * A point's value is its column's number times its row's, modulo the prime 1021: four points by two
 * look-ups. Coloured grain multiplies it by numbers of which no two lie near a fraction of small
 * numbers. 0.00097943192948 is 1 / 1021; the half keeps what it is rounded off by from the step.
 *
 * The mean stays: the noise is symmetric and fades out towards black and white, as on film.
 */
function addGrain(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  height: number,
  params: Float32Array,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  table: Float32Array,
): number {
  const local = Math.floor((this.thread.x + 0.5) / width);
  const x = this.thread.x - local * width;
  const y = local + firstRow;
  const perPixel = 1 / params[1];
  let grey = 0;
  let first = 0;
  let second = 0;
  let third = 0;
  for (let lattice = 0; lattice < 2; lattice++) {
    const along = 1 - 0.04 * lattice;
    const aside = 0.72 * lattice;
    const u = (x * along + y * aside) * perPixel + 0.37 * lattice;
    const v = (y * along - x * aside) * perPixel + 0.71 * lattice;
    const column = Math.floor(u);
    const row = Math.floor(v);
    const tx = u - column;
    const ty = v - row;
    const sx = 1 - tx;
    const sy = 1 - ty;
    const norm = 1 / Math.sqrt((sx * sx + tx * tx) * (sy * sy + ty * ty));
    const place = row + lattice * 1871;
    const columns = params[3 + column - Math.floor(column / 4096) * 4096];
    const rows = params[4099 + place - Math.floor(place / 4096) * 4096];
    const left = Math.floor(columns / 1024);
    const right = columns - left * 1024;
    const above = Math.floor(rows / 1024);
    const below = rows - above * 1024;
    const h00 = left * above - Math.floor((left * above + 0.5) * 0.00097943192948) * 1021;
    const h01 = left * below - Math.floor((left * below + 0.5) * 0.00097943192948) * 1021;
    const h10 = right * above - Math.floor((right * above + 0.5) * 0.00097943192948) * 1021;
    const h11 = right * below - Math.floor((right * below + 0.5) * 0.00097943192948) * 1021;
    grey += norm * (sx * (sy * h00 + ty * h01) + tx * (sy * h10 + ty * h11) - 510.5);
    if (params[2] > 0) {
      const a00 = h00 * 431 - Math.floor((h00 * 431 + 0.5) * 0.00097943192948) * 1021;
      const a01 = h01 * 431 - Math.floor((h01 * 431 + 0.5) * 0.00097943192948) * 1021;
      const a10 = h10 * 431 - Math.floor((h10 * 431 + 0.5) * 0.00097943192948) * 1021;
      const a11 = h11 * 431 - Math.floor((h11 * 431 + 0.5) * 0.00097943192948) * 1021;
      const b00 = h00 * 646 - Math.floor((h00 * 646 + 0.5) * 0.00097943192948) * 1021;
      const b01 = h01 * 646 - Math.floor((h01 * 646 + 0.5) * 0.00097943192948) * 1021;
      const b10 = h10 * 646 - Math.floor((h10 * 646 + 0.5) * 0.00097943192948) * 1021;
      const b11 = h11 * 646 - Math.floor((h11 * 646 + 0.5) * 0.00097943192948) * 1021;
      const c00 = h00 * 861 - Math.floor((h00 * 861 + 0.5) * 0.00097943192948) * 1021;
      const c01 = h01 * 861 - Math.floor((h01 * 861 + 0.5) * 0.00097943192948) * 1021;
      const c10 = h10 * 861 - Math.floor((h10 * 861 + 0.5) * 0.00097943192948) * 1021;
      const c11 = h11 * 861 - Math.floor((h11 * 861 + 0.5) * 0.00097943192948) * 1021;
      first += norm * (sx * (sy * a00 + ty * a01) + tx * (sy * a10 + ty * a11) - 510.5);
      second += norm * (sx * (sy * b00 + ty * b01) + tx * (sy * b10 + ty * b11) - 510.5);
      third += norm * (sx * (sy * c00 + ty * c01) + tx * (sy * c10 + ty * c11) - 510.5);
    }
  }

  const packed = colour[this.thread.x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  const luma = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  // Each lattice has variance 1/12; at strength 1 a mid grey varies by 30 of 255 (one sigma).
  const chroma = params[2];
  const share = 1 - chroma;
  const amount =
    (params[0] * 30 * 2.4495 * 4 * luma * (1 - luma)) /
    (1021 * Math.sqrt(share * share + chroma * chroma));
  const r = red + amount * (share * grey + chroma * first);
  const g = green + amount * (share * grey + chroma * second);
  const b = blue + amount * (share * grey + chroma * third);
  return (
    Math.floor(Math.min(Math.max(r, 0), 255) + 0.5) * 65536 +
    Math.floor(Math.min(Math.max(g, 0), 255) + 0.5) * 256 +
    Math.floor(Math.min(Math.max(b, 0), 255) + 0.5)
  );
}

/** Random numbers 1…1020, each · 1024 + the one after it: two neighbours by one look-up. */
function pairs(random: Random): Float32Array {
  const drawn = Float32Array.from({ length: 4096 }, () => 1 + Math.floor(random() * 1020));
  return drawn.map((number, at) => number * 1024 + (drawn[(at + 1) % drawn.length] as number));
}

export const grain = defineSurfaceEffect({
  id: "grain",
  title: "Grain",
  description: "Film grain, strongest in the midtones; the mean brightness stays.",
  params: Type.Object(
    {
      strength: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.2,
        description:
          "Amount of grain: at 1 a mid grey varies by 30 of 255 steps (standard deviation).",
      }),
      size: Type.Number({
        minimum: 1,
        maximum: 32,
        default: 1.5,
        description: "Size of a grain in pixels.",
      }),
      colour: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        description: "Share of coloured grain: 0 is black and white, 1 differs in every channel.",
      }),
      seed: Type.Integer({
        minimum: 0,
        maximum: 4294967295,
        default: 1,
        description: "Number that decides where the grains lie.",
      }),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, size, colour, seed }) {
    const random = randomSequence(seed, 0x9ea15);
    return Float32Array.of(strength, size, colour, ...pairs(random), ...pairs(random));
  },
  kernel: { run: addGrain },
});
