/** Cold-pressed paper. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { piece, SIDE } from "./paper/tooth.ts";

/**
 * `params`: strength and absorbency, then a piece of paper of 256 × 256 pixels (see tooth.ts).
 * The sheet is covered with cuts of the piece: each corner of a triangular lattice has its own,
 * and a pixel mixes those of its triangle's corners, divided by the root of the weights' summed
 * squares, so that neither contrast nor content shows the lattice (Heitz and Neyret, "High-
 * Performance By-Example Noise using a Histogram-Preserving Blending Operator", 2018). Nothing
 * repeats.
 *
 * Light is taken as the square of the encoded value.
 */
function layOnPaper(
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

  // Edges of 120 pixels; u and v count them along two sides of a triangle.
  const v = y / 103.923;
  const u = x / 120 - 0.5 * v;
  const column = Math.floor(u);
  const row = Math.floor(v);
  const across = u - column;
  const down = v - row;
  const upper = across + down < 1 ? 0 : 1;
  let shade = 0;
  let ink = 0;
  let squares = 0;
  for (let corner = 0; corner < 3; corner++) {
    const right = corner < 1 ? upper : corner - 1;
    const below = corner < 1 ? upper : 2 - corner;
    const inward = upper < 1 ? 1 - across - down : across + down - 1;
    const side = corner < 2 ? down : across;
    const other = upper < 1 ? side : 1 - (corner < 2 ? across : down);
    const part = corner < 1 ? inward : other;
    const weight = part * part;
    const i = column + right;
    const j = row + below;
    const hash = table[i - Math.floor(i / 4096) * 4096] + j;
    const cut = table[hash - Math.floor(hash / 4096) * 4096];
    const cutRow = Math.floor(cut / 64);
    const px = x + (cut - cutRow * 64) * 4;
    const py = y + cutRow * 4;
    const sx = px - Math.floor(px / 256) * 256;
    const sy = py - Math.floor(py / 256) * 256;
    const at = sy * 256 + sx;
    shade += weight * params[2 + 2 * at];
    // Unlike the light ink has no direction: half of the cuts lie on their side, half are negatives,
    // or large clouds would be known again.
    const aside = cut - 2 * Math.floor(cut / 2) < 0.5 ? at : sx * 256 + sy;
    const sign = cut - 4 * Math.floor(cut / 4) < 1.5 ? 1 : -1;
    ink += weight * sign * params[3 + 2 * aside];
    squares += weight * weight;
  }
  const norm = 1 / Math.sqrt(squares);
  // Grazing light saturates on steep slopes.
  const relief = (shade * norm) / Math.sqrt(1 + 0.09 * shade * norm * shade * norm);
  const taken = ink * norm;

  const strength = params[0];
  // White paper is not the brightest thing there is, and black ink on it is not black.
  const light = Math.max(1 - 0.1 * strength + 0.17 * strength * relief, 0.05);
  const veil = 0.012 * strength * (1 + 0.6 * relief);
  const soak = 0.16 * strength * params[1] * taken;
  const seat = table[x - Math.floor(x / 4096) * 4096] + y;
  const dither = (table[seat - Math.floor(seat / 4096) * 4096] + 0.5) / 4096;
  const packed = colour[this.thread.x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  const r = red * (1 - soak * (1 - red / 255));
  const g = green * (1 - soak * (1 - green / 255));
  const b = blue * (1 - soak * (1 - blue / 255));
  const lift = 65025 * veil;
  return (
    Math.floor(Math.min(Math.sqrt(Math.max(r * r * light + lift, 0)) + dither, 255)) * 65536 +
    Math.floor(Math.min(Math.sqrt(Math.max(g * g * light + lift, 0)) + dither, 255)) * 256 +
    Math.floor(Math.min(Math.sqrt(Math.max(b * b * light + lift, 0)) + dither, 255))
  );
}

export const paper = defineSurfaceEffect({
  id: "paper",
  title: "Paper",
  description:
    "Cold-pressed paper lit from the upper left: its tooth and fibres show in the light, and it takes the ink a little unevenly.",
  params: Type.Object(
    {
      strength: Strength(0.4, "How much the paper shows; 1 is rough paper in grazing light."),
      size: Type.Number({
        minimum: 2,
        maximum: 24,
        default: 7,
        description: "Distance between the bumps of the tooth in pixels.",
      }),
      fibres: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.4,
        description: "Amount of fibres that lie on the surface; 0 is none.",
      }),
      absorbency: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "How unevenly the paper takes the ink; 0 is evenly. White stays white.",
      }),
      seed: Seed("Number that decides where bumps, fibres and clouds lie."),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, size, fibres, absorbency, seed }) {
    const numbers = new Float32Array(2 + 2 * SIDE * SIDE);
    numbers.set([strength, absorbency]);
    numbers.set(piece(seed, size, fibres), 2);
    return numbers;
  },
  kernel: { run: layOnPaper },
});
