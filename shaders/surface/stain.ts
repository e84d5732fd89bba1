/** Rings of cups, and what was spilt. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { linearFromHex } from "../lib/colour.ts";
import { listsOf } from "../lib/grid-lists.ts";
import { encodeChannel } from "../lib/pack.ts";
import { randomSequence } from "../lib/random.ts";
import { numbersOf } from "../lib/records.ts";
import { Colour, Seed, Strength } from "../parameters.ts";
import { type Blot, blotsOf, MOST_BLOTS } from "./blots.ts";
import { defineSurfaceEffect, type SheetSize } from "./effect.ts";

/**
 * `params`: strength, density of the stain in red, green and blue (−ln of its encoded colour),
 * wavelengths of the fraying in pixels, coarse to fine; 84 blots of 10 numbers (see FIELDS); for
 * 16 × 16 cells of the sheet where the list of the blots in reach begins, and the lists, as places
 * among these numbers.
 *
 * As a spill dries its pigment is carried to the rim (Deegan et al., Capillary flow as the cause of
 * ring stains, 1997): sharp outwards, falling off inwards, with a fainter line where the rim stood
 * still once more. All blots fray by the same noise, for it is the paper's.
 */
function stainPaper(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  height: number,
  params: Float32Array,
  table: Float32Array,
): number {
  const local = Math.floor((this.thread.x + 0.5) / width);
  const x = this.thread.x - local * width;
  const y = local + firstRow;
  let rough = 0;
  let weight = 0.5;
  for (let octave = 0; octave < 4; octave++) {
    const u = (x * 0.8 + y * 0.6) / params[4 + octave];
    const v = (y * 0.8 - x * 0.6) / params[4 + octave];
    const column = Math.floor(u);
    const row = Math.floor(v);
    const tx = u - column;
    const ty = v - row;
    const left = table[column - Math.floor(column / 4096) * 4096] + row + octave * 701;
    const right = table[column + 1 - Math.floor((column + 1) / 4096) * 4096] + row + octave * 701;
    const h00 = table[left - Math.floor(left / 4096) * 4096];
    const h01 = table[left + 1 - Math.floor((left + 1) / 4096) * 4096];
    const h10 = table[right - Math.floor(right / 4096) * 4096];
    const h11 = table[right + 1 - Math.floor((right + 1) / 4096) * 4096];
    const fx = tx * tx * (3 - 2 * tx);
    const fy = ty * ty * (3 - 2 * ty);
    const upper = h00 + (h10 - h00) * fx;
    const lower = h01 + (h11 - h01) * fx;
    rough += (weight * (upper + (lower - upper) * fy)) / 4095;
    weight = weight * 0.5;
  }
  rough = rough / 0.9375;

  const cell = Math.floor((16 * (y + 0.5)) / height) * 16 + Math.floor((16 * (x + 0.5)) / width);
  const end = params[849 + cell];
  let density = 0;
  for (let entry = params[848 + cell]; entry < end; entry += 1) {
    const at = params[entry];
    const dx = x + 0.5 - params[at];
    const dy = y + 0.5 - params[at + 1];
    const away = Math.sqrt(dx * dx + dy * dy) + 0.001;
    const depth = params[at + 3] - Math.abs(away - params[at + 2]) + params[at + 4] * (rough - 0.5);
    const inside = Math.max(depth, 0);
    const q = inside / params[at + 5];
    const rise = Math.min((q * 5) / (1 + q), Math.min(inside, 1));
    const fall = 1 / (1 + q * q * 0.35 + q * 0.4);
    const again = Math.max(1 - Math.abs(q - 6) * 0.6, 0);
    const lies =
      params[at + 6] * (0.55 + 0.9 * rough) +
      params[at + 7] * (fall * (0.5 + rough) + again * again * 0.22);
    const side = (dx * params[at + 8] + dy * params[at + 9]) / away;
    const tilt = Math.sqrt(params[at + 8] * params[at + 8] + params[at + 9] * params[at + 9]);
    const most = Math.min(Math.max(1 - 0.5 * tilt + 0.5 * side + tilt * (rough - 0.5), 0), 1);
    density += rise * lies * most;
  }
  density = params[0] * Math.min(density, 3) * 0.125;

  const seat = table[x - Math.floor(x / 4096) * 4096] + y;
  let rest = colour[this.thread.x];
  let out = 0;
  let unit = 65536;
  for (let channel = 0; channel < 3; channel++) {
    const value = Math.floor(rest / unit);
    rest = rest - value * unit;
    unit = unit / 256;
    // e^−d as (1 − d/8)^8.
    const eighth = Math.max(1 - params[1 + channel] * density, 0);
    const quarter = eighth * eighth;
    const half = quarter * quarter;
    const other = seat + channel * 1357;
    const dither = table[other - Math.floor(other / 4096) * 4096];
    out = out * 256 + Math.floor(value * half * half + (dither + 0.5) / 4096);
  }
  return out;
}

/** What the kernel reads of a blot, in this order; 10 numbers. */
const FIELDS = ["x", "y", "ring", "reach", "frayed", "rim", "inside", "edge", "lean"] as const;

/** Places of the blots, of the lists' beginnings and of the lists in the kernel's numbers. */
const BLOTS_AT = 8;
const STARTS_AT = BLOTS_AT + MOST_BLOTS * 10;
const LISTS_AT = STARTS_AT + 257;
const LENGTH = LISTS_AT + 256 * MOST_BLOTS;

export const stain = defineSurfaceEffect({
  id: "stain",
  title: "Stain",
  description:
    "Leaves rings of cups and spilt drops on the sheet, pale inside with a dark, frayed rim, as coffee or water dries.",
  params: Type.Object(
    {
      strength: Strength(0.8, "How dark the stains are."),
      colour: Colour(
        "#8a5a2c",
        "Colour of a stain's rim on white paper; a light grey-brown is water.",
      ),
      count: Type.Integer({
        minimum: 1,
        maximum: 12,
        default: 4,
        description: "Number of stains.",
      }),
      size: Type.Number({
        minimum: 0.02,
        maximum: 1,
        default: 0.36,
        description: "Width of a cup's ring, as a share of the sheet's shorter side.",
      }),
      rings: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "Share of the stains that are rings of a cup; the others are spots.",
      }),
      drops: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "How many drops were splashed around a spot: at 1 up to six.",
      }),
      roughness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "How much the edges fray; 0 draws circles.",
      }),
      rim: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.7,
        description: "How much of the pigment gathered at the rims as they dried.",
      }),
      seed: Seed("Number that decides where the stains lie."),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, colour, seed, ...spill }, sheet) {
    const blots = blotsOf(randomSequence(seed, 0x57a1), spill, sheet);
    const coarse = (spill.size * Math.min(sheet.width, sheet.height)) / 3;
    const densities = linearFromHex(colour).map(
      (light) => -Math.log(Math.max(encodeChannel(light) / 255, 0.05)),
    );
    const { list, starts } = listsOf(blotsInCells(blots, sheet));
    const numbers = new Float32Array(LENGTH);
    numbers.set([strength, ...densities]);
    numbers.set(
      [1, 2.7, 7, 19].map((finer) => Math.max(coarse / finer, 2)),
      4,
    );
    numbers.set(
      blots.flatMap((blot) => numbersOf<(typeof FIELDS)[number]>(blot, FIELDS)),
      BLOTS_AT,
    );
    numbers.set(
      starts.map((start) => LISTS_AT + start),
      STARTS_AT,
    );
    numbers.set(
      list.map((blot) => BLOTS_AT + blot * 10),
      LISTS_AT,
    );
    return numbers;
  },
  kernel: { run: stainPaper },
});

/** For each of 16 × 16 cells of the sheet, row by row, the blots that may touch it. */
function blotsInCells(blots: readonly Blot[], { width, height }: SheetSize): number[][] {
  return Array.from({ length: 256 }, (_, cell) => {
    const left = ((cell % 16) * width) / 16;
    const top = (Math.floor(cell / 16) * height) / 16;
    return blots.flatMap(({ x, y, ring, reach, frayed }, index) => {
      const dx = x - Math.min(Math.max(x, left), left + width / 16);
      const dy = y - Math.min(Math.max(y, top), top + height / 16);
      // A pixel more: whose cell a pixel on a border is may be rounded either way.
      return Math.hypot(dx, dy) <= ring + reach + frayed / 2 + 1 ? [index] : [];
    });
  });
}
