/** Constants of kernels that sample a source, and the sampling stages. */
import type { KernelThis } from "../kernel.ts";
import { layout } from "./layout.ts";

/**
 * A source in linear light, channels interleaved: `stride` 3, or 4 with premultiplied alpha. It is a
 * constant, so that it is copied to the device once, and may fill only a part of its rows: `SOURCE`
 * says which.
 */
export interface SourceThis extends KernelThis {
  readonly constants: {
    /** 0: colours, 1: alpha. */
    readonly wanted: number;
    /**
     * Rows of pixels, `stride` numbers each. Two indices, because gpu.js computes in 32-bit floats:
     * a single one would lose pixels beyond 2²⁴, where two become integers first.
     */
    readonly source: readonly Float32Array[];
    /** Numbers a pixel: 3 or 4. */
    readonly stride: number;
    /** sRGB bytes over the square root of linear light. */
    readonly transfer: Float32Array;
    /** The transfer table's last index. */
    readonly transferTop: number;
  };
}

export const SOURCE = layout({
  /** The last column and row, in pixels. */
  right: 1,
  bottom: 1,
  /** Square root of the luminance of the source's mean colour. */
  meanLightness: 1,
});

/** The four pixels around a position, by row and by the first number of their column, and their weights. */
export interface Taps {
  readonly upper: number;
  readonly lower: number;
  readonly left: number;
  readonly right: number;
  readonly upperLeft: number;
  readonly upperRight: number;
  readonly lowerLeft: number;
  readonly lowerRight: number;
}

/** Clamps to the edge pixels. */
export function tapsAt(x: number, y: number, right: number, bottom: number, stride: number): Taps {
  const insideX = Math.min(Math.max(x, 0), right);
  const insideY = Math.min(Math.max(y, 0), bottom);
  const column = Math.floor(insideX);
  const row = Math.floor(insideY);
  const fx = insideX - column;
  const fy = insideY - row;
  const nextColumn = Math.min(column + 1, right);
  const nextRow = Math.min(row + 1, bottom);
  return {
    upper: row,
    lower: nextRow,
    left: column * stride,
    right: nextColumn * stride,
    upperLeft: (1 - fx) * (1 - fy),
    upperRight: fx * (1 - fy),
    lowerLeft: (1 - fx) * fy,
    lowerRight: fx * fy,
  };
}

/** Samples a channel of the picture by bilinear interpolation. */
export const channelAt = (rows: readonly Float32Array[], taps: Taps, channel: number) =>
  rows[taps.upper][taps.left + channel] * taps.upperLeft +
  rows[taps.upper][taps.right + channel] * taps.upperRight +
  rows[taps.lower][taps.left + channel] * taps.lowerLeft +
  rows[taps.lower][taps.right + channel] * taps.lowerRight;
