/**
 * Kernel that samples a finished picture: Catmull–Rom interpolation over 4 × 4 pixels,
 * in linear light, premultiplied. The picture wraps at its edges.
 */
import type { Kernel, KernelThis } from "./kernel.ts";
import { packByTable, unpack } from "./lib/pack.ts";
import { saturate, wrap } from "./lib/paint.ts";
import { stages } from "./lib/stages.ts";

/** Constants of a bound picture. */
export interface TextureThis extends KernelThis {
  readonly constants: {
    /** 0: colours, 1: alpha. */
    readonly wanted: number;
    /** Rows of packed colours. */
    readonly colours: readonly Float32Array[];
    /** Rows of alpha 0…255; a single number if all is opaque. */
    readonly alphas: readonly Float32Array[];
    /** 1 if there is alpha. */
    readonly hasAlpha: number;
    /** Pixels. */
    readonly width: number;
    readonly height: number;
    /** Linear light over the 256 sRGB bytes. */
    readonly linear: Float32Array;
    /** sRGB bytes over the square root of linear light. */
    readonly transfer: Float32Array;
    /** The transfer table's last index. */
    readonly transferTop: number;
  };
}

/** Keys 1981, a = −½. */
const weightOf = (away: number) =>
  away < 1 ? 1 + away * away * (1.5 * away - 2.5) : 2 + away * (away * (2.5 - 0.5 * away) - 4);

/**
 * Returns one sample.
 * @param x, y positions in the picture, in pixels; the centre of its first pixel is (0, 0)
 */
function texture(this: TextureThis, x: Float32Array, y: Float32Array): number {
  const sx = x[this.thread.x];
  const sy = y[this.thread.x];
  const x0 = Math.floor(sx);
  const y0 = Math.floor(sy);
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  for (let j = 0; j < 4; j++) {
    const row = y0 + j - 1;
    const v = wrap(row, this.constants.height);
    const wy = weightOf(Math.abs(sy - row));
    for (let i = 0; i < 4; i++) {
      const column = x0 + i - 1;
      const u = wrap(column, this.constants.width);
      let weight = weightOf(Math.abs(sx - column)) * wy;
      if (this.constants.hasAlpha > 0) weight = (weight * this.constants.alphas[v][u]) / 255;
      const bytes = unpack(this.constants.colours[v][u]);
      red += this.constants.linear[bytes.red] * weight;
      green += this.constants.linear[bytes.green] * weight;
      blue += this.constants.linear[bytes.blue] * weight;
      alpha += weight;
    }
  }
  if (this.constants.wanted > 0) return Math.floor(saturate(alpha) * 255 + 0.5);
  const opaque = Math.max(alpha, 0.000001);
  const colour = {
    red: Math.max(red / opaque, 0),
    green: Math.max(green / opaque, 0),
    blue: Math.max(blue / opaque, 0),
  };
  return packByTable(colour, this.constants.transfer, this.constants.transferTop);
}

/** Colours or alpha of a picture, by its binding. */
export const textureKernel: Kernel = { run: texture, helpers: [weightOf, ...stages] };
