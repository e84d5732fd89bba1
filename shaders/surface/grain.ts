/** The grain of photographic film. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { defineSurfaceEffect } from "./effect.ts";

/**
 * Two lattices of random values, one turned by the angle of a 3-4-5 triangle and a little finer,
 * so that no grid shows. Between its points a lattice is interpolated and divided by the root of
 * the summed squares of the weights: its variance is the same everywhere, and single points are
 * no brighter than the rest. Coloured grain takes four of a hash's twelve bits a channel.
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
  table: Float32Array,
): number {
  const local = Math.floor((this.thread.x + 0.5) / width);
  const x = this.thread.x - local * width;
  const y = local + firstRow;
  const size = params[1];
  let grey = 0;
  let first = 0;
  let second = 0;
  let third = 0;
  for (let lattice = 0; lattice < 2; lattice++) {
    const u = lattice < 1 ? x / size : (x * 0.96 + y * 0.72) / size + 0.37;
    const v = lattice < 1 ? y / size : (y * 0.96 - x * 0.72) / size + 0.71;
    const column = Math.floor(u);
    const row = Math.floor(v) + lattice * 1871;
    const tx = u - column;
    const ty = v - Math.floor(v);
    const left = table[column - Math.floor(column / 4096) * 4096] + row;
    const right = table[column + 1 - Math.floor((column + 1) / 4096) * 4096] + row;
    const h00 = table[left - Math.floor(left / 4096) * 4096];
    const h01 = table[left + 1 - Math.floor((left + 1) / 4096) * 4096];
    const h10 = table[right - Math.floor(right / 4096) * 4096];
    const h11 = table[right + 1 - Math.floor((right + 1) / 4096) * 4096];
    const norm = 1 / Math.sqrt(((1 - tx) * (1 - tx) + tx * tx) * ((1 - ty) * (1 - ty) + ty * ty));
    const w00 = (1 - tx) * (1 - ty) * norm;
    const w10 = tx * (1 - ty) * norm;
    const w01 = (1 - tx) * ty * norm;
    const w11 = tx * ty * norm;
    grey +=
      (w00 * (h00 - 2047.5) + w10 * (h10 - 2047.5) + w01 * (h01 - 2047.5) + w11 * (h11 - 2047.5)) /
      4096;
    if (params[2] > 0) {
      const k00 = table[left + 977 - Math.floor((left + 977) / 4096) * 4096];
      const k01 = table[left + 978 - Math.floor((left + 978) / 4096) * 4096];
      const k10 = table[right + 977 - Math.floor((right + 977) / 4096) * 4096];
      const k11 = table[right + 978 - Math.floor((right + 978) / 4096) * 4096];
      const a00 = Math.floor(k00 / 256);
      const a10 = Math.floor(k10 / 256);
      const a01 = Math.floor(k01 / 256);
      const a11 = Math.floor(k11 / 256);
      const b00 = Math.floor(k00 / 16) - a00 * 16;
      const b10 = Math.floor(k10 / 16) - a10 * 16;
      const b01 = Math.floor(k01 / 16) - a01 * 16;
      const b11 = Math.floor(k11 / 16) - a11 * 16;
      const c00 = k00 - a00 * 256 - b00 * 16;
      const c10 = k10 - a10 * 256 - b10 * 16;
      const c01 = k01 - a01 * 256 - b01 * 16;
      const c11 = k11 - a11 * 256 - b11 * 16;
      const middle = 7.5 * (w00 + w10 + w01 + w11);
      first += (w00 * a00 + w10 * a10 + w01 * a01 + w11 * a11 - middle) / 16;
      second += (w00 * b00 + w10 * b10 + w01 * b01 + w11 * b11 - middle) / 16;
      third += (w00 * c00 + w10 * c10 + w01 * c01 + w11 * c11 - middle) / 16;
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
    (params[0] * 30 * 2.4495 * 4 * luma * (1 - luma)) / Math.sqrt(share * share + chroma * chroma);
  const r = red + amount * (share * grey + chroma * first);
  const g = green + amount * (share * grey + chroma * second);
  const b = blue + amount * (share * grey + chroma * third);
  return (
    Math.floor(Math.min(Math.max(r, 0), 255) + 0.5) * 65536 +
    Math.floor(Math.min(Math.max(g, 0), 255) + 0.5) * 256 +
    Math.floor(Math.min(Math.max(b, 0), 255) + 0.5)
  );
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
  kernel: { run: addGrain },
});
