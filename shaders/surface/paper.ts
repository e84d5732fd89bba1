/** Cold-pressed paper. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { float32sOf, layout, type RecordOf } from "../lib/layout.ts";
import { bilinear, latticeDither } from "../lib/noise.ts";
import { packDithered, unpack } from "../lib/pack.ts";
import { pixelAt, wrap } from "../lib/paint.ts";
import { stages } from "../lib/stages.ts";
import { Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { CORNERS, cutsOfTriangles } from "./paper/cuts.ts";
import { BUMP, piece, SIDE } from "./paper/tooth.ts";
import { clampToWhite } from "./shading.ts";

const PARAMS = layout({
  strength: 1,
  absorbency: 1,
  /** Pixels of the piece for a pixel of the sheet. */
  step: 1,
  /** Light · 4096 + ink of pixels of two kinds, see tooth.ts. */
  piece: 2 * SIDE * SIDE,
  /** Which cuts of the piece lie where, see cuts.ts. */
  cuts: 2 * CORNERS * CORNERS,
});
type Params = RecordOf<typeof PARAMS>;

/**
 * A position in the lattice of triangles that covers the sheet: the weights of the corners, and their
 * cuts. First the apex, which only one of the two triangles of a rhombus has, then the upper
 * right and the lower left corner.
 */
function triangleAt(x: number, y: number, params: Params) {
  // Edges of 120 pixels of the piece; u and v count them along two sides of a rhombus of two triangles.
  const v = y / 103.923;
  const u = x / 120 - 0.5 * v;
  const column = Math.floor(u);
  const row = Math.floor(v);
  const across = u - column;
  const down = v - row;
  const apart = 1 - across - down;
  const lower = apart < 0 ? 1 : 0;
  const i = wrap(column, CORNERS);
  const j = wrap(row, CORNERS);
  const cuts = unpack(params.cuts[(lower * CORNERS + j) * CORNERS + i]);
  return {
    first: apart * apart,
    second: apart < 0 ? (1 - down) * (1 - down) : across * across,
    third: apart < 0 ? (1 - across) * (1 - across) : down * down,
    firstCut: cuts.red,
    secondCut: cuts.green,
    thirdCut: cuts.blue,
  };
}

/** Returns the index of a cut's pixel in the piece. */
function placeIn(cut: number, x: number, y: number): number {
  const rows = Math.floor(cut / 16);
  const kind = cut - Math.floor(cut / 2) * 2;
  const column = x + (cut - rows * 16) * 16;
  const row = y + rows * 16;
  const line = kind * SIDE + row - Math.floor(row / SIDE) * SIDE;
  return line * SIDE + column - Math.floor(column / SIDE) * SIDE;
}

/** Returns the two numbers of a cut's pixel. */
function numbersIn(cut: number, x: number, y: number, params: Params) {
  const both = params.piece[placeIn(cut, x, y)];
  const shade = Math.floor(both / 4096);
  return { shade, ink: both - shade * 4096 };
}

/** The two numbers of a cut at a point, interpolated where the piece is magnified. */
function cutAt(cut: number, x: number, y: number, params: Params) {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const here = numbersIn(cut, column, row, params);
  let shade = here.shade;
  let ink = here.ink;
  if (params.step < 0.999) {
    const left = Math.floor(x - 0.5);
    const top = Math.floor(y - 0.5);
    const tx = x - 0.5 - left;
    const ty = y - 0.5 - top;
    const first = numbersIn(cut, left, top, params);
    const second = numbersIn(cut, left + 1, top, params);
    const third = numbersIn(cut, left, top + 1, params);
    const fourth = numbersIn(cut, left + 1, top + 1, params);
    shade = bilinear(first.shade, second.shade, third.shade, fourth.shade, tx, ty);
    ink = bilinear(first.ink, second.ink, third.ink, fourth.ink, tx, ty);
  }
  return { shade, ink };
}

/**
 * The tooth's light and the ink taken at a point of the piece's pixels. The cuts of a triangle's corners
 * are mixed and divided by the root of the weights' summed squares, so that neither contrast nor content
 * shows the lattice (Heitz and Neyret, "High-Performance By-Example Noise using a Histogram-Preserving
 * Blending Operator", 2018). Nothing repeats.
 */
function paperAt(x: number, y: number, params: Params) {
  const { first, second, third, firstCut, secondCut, thirdCut } = triangleAt(x, y, params);
  const one = cutAt(firstCut, x, y, params);
  const two = cutAt(secondCut, x, y, params);
  const three = cutAt(thirdCut, x, y, params);
  const middle = 2047.5 * (first + second + third);
  const norm = 1 / (256 * Math.sqrt(first * first + second * second + third * third));
  return {
    shade: (first * one.shade + second * two.shade + third * three.shade - middle) * norm,
    taken: (first * one.ink + second * two.ink + third * three.ink - middle) * norm,
  };
}

/** A channel of ink that soaks in: white stays white. */
const soaked = (channel: number, share: number) => channel * (1 - share * (1 - channel / 255));

/** A channel in a light under a veil of it, which may be negative. */
const veiled = (channel: number, light: number, veil: number) =>
  Math.sqrt(Math.max(channel * channel * light + veil, 0));

/** Light is taken as the square of the encoded value. */
function layOnPaper(
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
  const { shade, taken } = paperAt((x + 0.5) * params.step, (y + 0.5) * params.step, params);
  // Grazing light saturates on steep slopes.
  const relief = shade / Math.sqrt(1 + 0.09 * shade * shade);
  const { strength } = params;
  // White paper is below full white, and black ink above black.
  const light = Math.max(1 - 0.1 * strength + 0.17 * strength * relief, 0.05);
  const veil = 65025 * (0.012 * strength * (1 + 0.6 * relief));
  const soak = 0.16 * strength * params.absorbency * taken;
  const { red, green, blue } = unpack(colour[this.thread.x]);
  const lying = {
    red: veiled(soaked(red, soak), light, veil),
    green: veiled(soaked(green, soak), light, veil),
    blue: veiled(soaked(blue, soak), light, veil),
  };
  return packDithered(clampToWhite(lying), latticeDither(x, y, 225, 134));
}

export const paper = defineSurfaceEffect({
  id: "paper",
  title: "Paper",
  description:
    "Cold-pressed paper lit from the upper left, with visible tooth and fibres and slightly uneven ink.",
  params: Type.Object(
    {
      strength: Strength(0.4, "Visibility of the paper; 1 is rough paper in grazing light."),
      size: Type.Number({
        minimum: 0.15,
        maximum: 2,
        default: 0.6,
        description: "Distance between the bumps of the tooth in millimetres.",
      }),
      fibres: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.4,
        description: "Amount of fibres on the surface; 0 is none.",
      }),
      absorbency: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "Unevenness of the ink; 0 is even. White stays white.",
      }),
      seed: Seed("Seed of bumps, fibres and clouds."),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, size, fibres, absorbency, seed }, { pixelsPerMillimetre }) {
    const step = BUMP / (size * pixelsPerMillimetre);
    const record = {
      strength,
      absorbency,
      step,
      piece: piece(seed, fibres, step),
      cuts: cutsOfTriangles(seed),
    };
    return float32sOf(record, PARAMS);
  },
  detail: ({ size }) => size / 2,
  kernel: {
    run: layOnPaper,
    helpers: [
      paperAt,
      triangleAt,
      cutAt,
      numbersIn,
      placeIn,
      bilinear,
      soaked,
      veiled,
      clampToWhite,
      ...stages,
    ],
    records: { params: PARAMS },
    literals: { SIDE, CORNERS },
  },
});
