/** Cold-pressed paper. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { cutsOfTriangles } from "./paper/cuts.ts";
import { piece } from "./paper/tooth.ts";

/**
 * `params`: strength and absorbency, a piece of paper of 256 × 256 pixels of two kinds (see tooth.ts),
 * and which cuts of it lie where (see cuts.ts). The sheet is covered with cuts of the piece: each
 * corner of a triangular lattice has its own, and a pixel mixes those of its triangle's corners,
 * divided by the root of the weights' summed squares, so that neither contrast nor content shows the
 * lattice (Heitz and Neyret, "High-Performance By-Example Noise using a Histogram-Preserving
 * Blending Operator", 2018). Nothing repeats.
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
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  table: Float32Array,
): number {
  const local = Math.floor((this.thread.x + 0.5) / width);
  const x = this.thread.x - local * width;
  const y = local + firstRow;

  // Edges of 120 pixels; u and v count them along two sides of a rhombus of two triangles.
  const v = y / 103.923;
  const u = x / 120 - 0.5 * v;
  const column = Math.floor(u);
  const row = Math.floor(v);
  const across = u - column;
  const down = v - row;
  const apart = 1 - across - down;
  const lower = apart < 0 ? 1 : 0;
  // Of the corners: the apex, which only one of the two has, the upper right and the lower left one.
  const first = apart * apart;
  const second = apart < 0 ? (1 - down) * (1 - down) : across * across;
  const third = apart < 0 ? (1 - across) * (1 - across) : down * down;

  const i = column - Math.floor((column + 0.5) / 200) * 200;
  const j = row - Math.floor((row + 0.5) / 200) * 200;
  const cuts = params[131074 + (lower * 200 + j) * 200 + i];
  const firstCut = Math.floor(cuts / 65536);
  const others = cuts - firstCut * 65536;
  const secondCut = Math.floor(others / 256);
  const thirdCut = others - secondCut * 256;
  const firstRows = Math.floor(firstCut / 16);
  const secondRows = Math.floor(secondCut / 16);
  const thirdRows = Math.floor(thirdCut / 16);
  const x1 = x + (firstCut - firstRows * 16) * 16;
  const x2 = x + (secondCut - secondRows * 16) * 16;
  const x3 = x + (thirdCut - thirdRows * 16) * 16;
  const y1 = y + firstRows * 16;
  const y2 = y + secondRows * 16;
  const y3 = y + thirdRows * 16;
  const kind1 = firstCut - Math.floor(firstCut / 2) * 2;
  const kind2 = secondCut - Math.floor(secondCut / 2) * 2;
  const kind3 = thirdCut - Math.floor(thirdCut / 2) * 2;
  const row1 = kind1 * 256 + y1 - Math.floor(y1 / 256) * 256;
  const row2 = kind2 * 256 + y2 - Math.floor(y2 / 256) * 256;
  const row3 = kind3 * 256 + y3 - Math.floor(y3 / 256) * 256;
  const both1 = params[2 + row1 * 256 + x1 - Math.floor(x1 / 256) * 256];
  const both2 = params[2 + row2 * 256 + x2 - Math.floor(x2 / 256) * 256];
  const both3 = params[2 + row3 * 256 + x3 - Math.floor(x3 / 256) * 256];
  const shade1 = Math.floor(both1 / 4096);
  const shade2 = Math.floor(both2 / 4096);
  const shade3 = Math.floor(both3 / 4096);
  const ink1 = both1 - shade1 * 4096;
  const ink2 = both2 - shade2 * 4096;
  const ink3 = both3 - shade3 * 4096;
  const middle = 2047.5 * (first + second + third);
  const norm = 1 / (256 * Math.sqrt(first * first + second * second + third * third));
  const shade = (first * shade1 + second * shade2 + third * shade3 - middle) * norm;
  const taken = (first * ink1 + second * ink2 + third * ink3 - middle) * norm;
  // Grazing light saturates on steep slopes.
  const relief = shade / Math.sqrt(1 + 0.09 * shade * shade);

  const strength = params[0];
  // White paper is not the brightest thing there is, and black ink on it is not black.
  const light = Math.max(1 - 0.1 * strength + 0.17 * strength * relief, 0.05);
  const veil = 0.012 * strength * (1 + 0.6 * relief);
  const soak = 0.16 * strength * params[1] * taken;
  const seat = (x * 225 + y * 134 + 0.5) / 512;
  const dither = seat - Math.floor(seat);
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
    const [lying, cuts] = [piece(seed, size, fibres), cutsOfTriangles(seed)];
    const numbers = new Float32Array(2 + lying.length + cuts.length);
    numbers.set([strength, absorbency]);
    numbers.set(lying, 2);
    numbers.set(cuts, 2 + lying.length);
    return numbers;
  },
  kernel: { run: layOnPaper },
});
