/**
 * The kernel that looks a finished picture up between its pixels: Catmull–Rom over 4 × 4 pixels,
 * in linear light, premultiplied. The picture wraps at its edges.
 */
import type { Kernel, KernelThis } from "./kernel.ts";

/** What a picture is bound as. */
export interface TextureThis extends KernelThis {
  readonly constants: {
    /** 0: colours, 1: alpha. */
    readonly wanted: number;
    /** Rows of packed colours. */
    readonly colours: readonly Float32Array[];
    /** Rows of alpha 0…255; a single number where all is opaque. */
    readonly alphas: readonly Float32Array[];
    /** 1 where there is alpha. */
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

/**
 * One sample.
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
    const v = row - Math.floor((row + 0.5) / this.constants.height) * this.constants.height;
    const dy = Math.abs(sy - row);
    // Keys 1981, a = −½.
    const wy = dy < 1 ? 1 + dy * dy * (1.5 * dy - 2.5) : 2 + dy * (dy * (2.5 - 0.5 * dy) - 4);
    for (let i = 0; i < 4; i++) {
      const column = x0 + i - 1;
      const u = column - Math.floor((column + 0.5) / this.constants.width) * this.constants.width;
      const dx = Math.abs(sx - column);
      const wx = dx < 1 ? 1 + dx * dx * (1.5 * dx - 2.5) : 2 + dx * (dx * (2.5 - 0.5 * dx) - 4);
      let weight = wx * wy;
      if (this.constants.hasAlpha > 0) weight = (weight * this.constants.alphas[v][u]) / 255;
      const packed = this.constants.colours[v][u];
      const r = Math.floor(packed / 65536);
      const g = Math.floor(packed / 256) - r * 256;
      const b = packed - r * 65536 - g * 256;
      red += this.constants.linear[r] * weight;
      green += this.constants.linear[g] * weight;
      blue += this.constants.linear[b] * weight;
      alpha += weight;
    }
  }
  if (this.constants.wanted > 0) {
    return Math.floor(Math.min(Math.max(alpha, 0), 1) * 255 + 0.5);
  }
  const opaque = Math.max(alpha, 0.000001);
  red = Math.min(Math.max(red / opaque, 0), 1);
  green = Math.min(Math.max(green / opaque, 0), 1);
  blue = Math.min(Math.max(blue / opaque, 0), 1);
  const top = this.constants.transferTop;
  return (
    this.constants.transfer[Math.floor(Math.sqrt(red) * top + 0.5)] * 65536 +
    this.constants.transfer[Math.floor(Math.sqrt(green) * top + 0.5)] * 256 +
    this.constants.transfer[Math.floor(Math.sqrt(blue) * top + 0.5)]
  );
}

/** Colours or alpha of a picture, by its binding. */
export const textureKernel: Kernel = { run: texture };
