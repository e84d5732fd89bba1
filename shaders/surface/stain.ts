/** Rings of cups, and spots. */

import Type from "typebox";
import type { Size } from "../../engine/size.ts";
import type { KernelThis } from "../kernel.ts";
import { linearFromHex } from "../lib/colour.ts";
import { listsOf } from "../lib/grid-lists.ts";
import { layout, numbersOf, type RecordOf, recordAt, XY } from "../lib/layout.ts";
import { entryOf, valueNoise } from "../lib/noise.ts";
import { encodeChannel } from "../lib/pack.ts";
import { pixelAt, saturate } from "../lib/paint.ts";
import { randomSequence } from "../lib/random.ts";
import { stages } from "../lib/stages.ts";
import { Colour, Seed, Strength } from "../parameters.ts";
import { type Blot, blotsOf, MAX_BLOTS } from "./blots.ts";
import { defineSurfaceEffect } from "./effect.ts";

/** A blot as the kernel reads it. */
const BLOT = layout({
  x: 1,
  y: 1,
  ring: 1,
  reach: 1,
  frayed: 1,
  rim: 1,
  inside: 1,
  edge: 1,
  lean: XY,
});
type BlotRecord = RecordOf<typeof BLOT>;

const CELLS = 16;

const PARAMS = layout({
  strength: 1,
  /** Density of the stain in red, green and blue: −ln of its encoded colour. */
  densities: 3,
  /** Wavelengths of the fraying in pixels, coarse to fine. */
  waves: 4,
  blots: [BLOT, MAX_BLOTS],
  /** For each cell of the sheet where the list of the blots in reach begins, and the end. */
  starts: CELLS * CELLS + 1,
  lists: CELLS * CELLS * MAX_BLOTS,
});
type Params = RecordOf<typeof PARAMS>;

/** Fraying by the paper, about ½: four lattices at the angles of a 3-4-5 triangle. */
function roughAt(x: number, y: number, params: Params, table: Float32Array): number {
  let rough = 0;
  let weight = 0.5;
  for (let octave = 0; octave < 4; octave++) {
    const u = (x * 0.8 + y * 0.6) / params.waves[octave];
    const v = (y * 0.8 - x * 0.6) / params.waves[octave];
    rough += (weight * valueNoise(table, u, v, 4096, octave * 701)) / 4095;
    weight = weight * 0.5;
  }
  return rough / 0.9375;
}

/**
 * Density of a blot at a position. As a spill dries its pigment moves to the rim (Deegan et al.,
 * Capillary flow as the cause of ring stains, 1997): sharp outside, falling off inwards, with a
 * fainter second line.
 */
function densityOf(blot: BlotRecord, x: number, y: number, rough: number): number {
  const { x: leanX, y: leanY } = blot.lean;
  const dx = x + 0.5 - blot.x;
  const dy = y + 0.5 - blot.y;
  const away = Math.sqrt(dx * dx + dy * dy) + 0.001;
  const depth = blot.reach - Math.abs(away - blot.ring) + blot.frayed * (rough - 0.5);
  const inside = Math.max(depth, 0);
  const q = inside / blot.rim;
  const rise = Math.min((q * 5) / (1 + q), Math.min(inside, 1));
  const fall = 1 / (1 + q * q * 0.35 + q * 0.4);
  const again = Math.max(1 - Math.abs(q - 6) * 0.6, 0);
  const rim = blot.edge * (fall * (0.5 + rough) + again * again * 0.22);
  const lies = blot.inside * (0.55 + 0.9 * rough) + rim;
  const side = (dx * leanX + dy * leanY) / away;
  const tilt = Math.sqrt(leanX * leanX + leanY * leanY);
  const most = saturate(1 - 0.5 * tilt + 0.5 * side + tilt * (rough - 0.5));
  return rise * lies * most;
}

/** All blots share the noise of fraying, which is the paper's. */
function stainPaper(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  height: number,
  params: Params,
  table: Float32Array,
): number {
  const { row, column: x } = pixelAt(this.thread.x, width);
  const y = row + firstRow;
  const rough = roughAt(x, y, params, table);
  const cellX = Math.floor((CELLS * (x + 0.5)) / width);
  const cell = Math.floor((CELLS * (y + 0.5)) / height) * CELLS + cellX;
  const end = params.starts[cell + 1];
  let sum = 0;
  for (let entry = params.starts[cell]; entry < end; entry += 1) {
    sum += densityOf(recordAt(params.blots, params.lists[entry]), x, y, rough);
  }
  const density = params.strength * Math.min(sum, 3) * 0.125;

  const seat = entryOf(table, x) + y;
  let rest = colour[this.thread.x];
  let out = 0;
  let unit = 65536;
  for (let channel = 0; channel < 3; channel++) {
    const value = Math.floor(rest / unit);
    rest = rest - value * unit;
    unit = unit / 256;
    // e^−d as (1 − d/8)^8.
    const eighth = Math.max(1 - params.densities[channel] * density, 0);
    const quarter = eighth * eighth;
    const half = quarter * quarter;
    const dither = entryOf(table, seat + channel * 1357);
    out = out * 256 + Math.floor(value * half * half + (dither + 0.5) / 4096);
  }
  return out;
}

export const stain = defineSurfaceEffect({
  id: "stain",
  title: "Stain",
  description:
    "Adds rings of cups and spilt drops, pale inside with a dark, frayed rim, like dried coffee or water.",
  params: Type.Object(
    {
      strength: Strength(0.8, "Darkness of the stains."),
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
        description: "Amount of drops around a spot: at 1 up to six.",
      }),
      roughness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "Fraying of the edges; 0 draws circles.",
      }),
      rim: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.7,
        description: "Share of the pigment at the rims.",
      }),
      seed: Seed("Seed of the stains' positions."),
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
    const params = {
      strength,
      densities,
      waves: [1, 2.7, 7, 19].map((finer) => Math.max(coarse / finer, 2)),
      blots: filledUp(
        blots.flatMap((blot) => numbersOf(blot, BLOT)),
        MAX_BLOTS * BLOT.size,
      ),
      starts: [...starts],
      lists: filledUp(
        Array.from(list, (blot) => blot * BLOT.size),
        PARAMS.fields.lists,
      ),
    };
    return Float32Array.from(numbersOf(params, PARAMS));
  },
  kernel: {
    run: stainPaper,
    helpers: [roughAt, densityOf, ...stages],
    records: { params: PARAMS },
    literals: { CELLS },
  },
});

/** Numbers and as many zeros as make `length`. */
const filledUp = (numbers: readonly number[], length: number) =>
  Array.from({ length }, (_, index) => numbers[index] ?? 0);

/** For each of 16 × 16 cells of the sheet, row by row, the blots that may touch it. */
function blotsInCells(blots: readonly Blot[], { width, height }: Size): number[][] {
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
