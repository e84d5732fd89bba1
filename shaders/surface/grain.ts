/** The grain of photographic film. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { float32sOf, layout, type RecordOf } from "../lib/layout.ts";
import { packRounded, unpack } from "../lib/pack.ts";
import { pixelAt } from "../lib/paint.ts";
import { type Random, randomSequence } from "../lib/random.ts";
import { stages } from "../lib/stages.ts";
import { defineSurfaceEffect } from "./effect.ts";

/** Numbers of columns and rows before they come again. */
const PERIOD = 4096;

const PARAMS = layout({
  strength: 1,
  size: 1,
  colour: 1,
  /** See `pairs`. */
  columns: PERIOD,
  rows: PERIOD,
});
type Params = RecordOf<typeof PARAMS>;

/**
 * Returns a number modulo the prime 1021. Exact for whole numbers up to 1020²: the factor is a little more than 1 / 1021, so
 * that no quotient is rounded to below a whole number.
 */
const modulo = (value: number) => value - Math.floor(value * 0.0009794323) * 1021;

/** A pixel's place in a cell of a lattice, and the values 0…1020 at its corners. */
interface Cell {
  readonly tx: number;
  readonly ty: number;
  readonly sx: number;
  readonly sy: number;
  /** One over the root of the summed squares of the corners' weights. */
  readonly norm: number;
  readonly h00: number;
  readonly h01: number;
  readonly h10: number;
  readonly h11: number;
}

/** A point's value is its column's number times its row's, modulo 1021: four points by two look-ups. */
function cellAt(u: number, v: number, offset: number, params: Params): Cell {
  const column = Math.floor(u);
  const row = Math.floor(v);
  const tx = u - column;
  const ty = v - row;
  const sx = 1 - tx;
  const sy = 1 - ty;
  const norm = 1 / Math.sqrt((sx * sx + tx * tx) * (sy * sy + ty * ty));
  const place = row + offset;
  const columns = params.columns[column - Math.floor(column / PERIOD) * PERIOD];
  const rows = params.rows[place - Math.floor(place / PERIOD) * PERIOD];
  const left = Math.floor(columns / 1024);
  const right = columns - left * 1024;
  const above = Math.floor(rows / 1024);
  const below = rows - above * 1024;
  return {
    tx,
    ty,
    sx,
    sy,
    norm,
    h00: modulo(left * above),
    h01: modulo(left * below),
    h10: modulo(right * above),
    h11: modulo(right * below),
  };
}

/** Other values at the corners of the same cell. */
function recoloured(cell: Cell, factor: number): Cell {
  return {
    tx: cell.tx,
    ty: cell.ty,
    sx: cell.sx,
    sy: cell.sy,
    norm: cell.norm,
    h00: modulo(cell.h00 * factor),
    h01: modulo(cell.h01 * factor),
    h10: modulo(cell.h10 * factor),
    h11: modulo(cell.h11 * factor),
  };
}

/** Between the corners, with the same variance everywhere. */
function interpolated(cell: Cell): number {
  const { tx, ty, sx, sy, h00, h01, h10, h11 } = cell;
  return cell.norm * (sx * (sy * h00 + ty * h01) + tx * (sy * h10 + ty * h11) - 510.5);
}

/**
 * Two lattices of random values, one turned by the angle of a 3-4-5 triangle and a little finer,
 * so that no grid shows. Between its points a lattice is interpolated and divided by the root of
 * the summed squares of the weights: its variance is the same everywhere, and single points are
 * no brighter than the rest. Coloured grain multiplies the values by numbers of which no two lie
 * near a fraction of small numbers.
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
  params: Params,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  table: Float32Array,
): number {
  const { row, column: x } = pixelAt(this.thread.x, width);
  const y = row + firstRow;
  const perPixel = 1 / params.size;
  const chroma = params.colour;
  let first = 0;
  let second = 0;
  let third = 0;
  const across = x + 0.5;
  const down = y + 0.5;
  const upright = cellAt(across * perPixel, down * perPixel, 0, params);
  const turned = cellAt(
    (across * 0.96 + down * 0.72) * perPixel + 0.37,
    (down * 0.96 - across * 0.72) * perPixel + 0.71,
    1871,
    params,
  );
  const grey = interpolated(upright) + interpolated(turned);
  if (chroma > 0) {
    first = interpolated(recoloured(upright, 431)) + interpolated(recoloured(turned, 431));
    second = interpolated(recoloured(upright, 646)) + interpolated(recoloured(turned, 646));
    third = interpolated(recoloured(upright, 861)) + interpolated(recoloured(turned, 861));
  }

  const { red, green, blue } = unpack(colour[this.thread.x]);
  const luma = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  // Each lattice has variance 1/12; at strength 1 a mid grey varies by 30 of 255 (one sigma).
  const share = 1 - chroma;
  const amount =
    (params.strength * 30 * 2.4495 * 4 * luma * (1 - luma)) /
    (1021 * Math.sqrt(share * share + chroma * chroma));
  return packRounded(
    Math.min(Math.max(red + amount * (share * grey + chroma * first), 0), 255),
    Math.min(Math.max(green + amount * (share * grey + chroma * second), 0), 255),
    Math.min(Math.max(blue + amount * (share * grey + chroma * third), 0), 255),
  );
}

/** Random numbers 1…1020, each · 1024 + the one after it: two neighbours by one look-up. */
function pairs(random: Random): Float32Array {
  const drawn = Float32Array.from({ length: PERIOD }, () => 1 + Math.floor(random() * 1020));
  return drawn.map((number, at) => number * 1024 + drawn[(at + 1) % drawn.length]);
}

export const grain = defineSurfaceEffect({
  id: "grain",
  title: "Grain",
  description: "Film grain, strongest in the midtones; the mean brightness is kept.",
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
        minimum: 0.05,
        maximum: 3,
        default: 0.13,
        description: "Size of a grain in millimetres.",
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
        description: "Seed of the grain.",
      }),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, colour, seed, ...given }, { pixelsPerMillimetre }) {
    // Finer grain is noise without a correlation between pixels.
    const size = Math.max(given.size * pixelsPerMillimetre, 1);
    const random = randomSequence(seed, 0x9ea15);
    const [columns, rows] = [pairs(random), pairs(random)];
    return float32sOf({ strength, size, colour, columns, rows }, PARAMS);
  },
  detail: ({ size }) => size,
  kernel: {
    run: addGrain,
    helpers: [cellAt, recoloured, interpolated, modulo, ...stages],
    records: { params: PARAMS },
    literals: { PERIOD },
  },
});
