/** Constants of kernels that sample a source, and the sampling stages. */
import type { KernelThis } from "../kernel.ts";
import { layout, type Rgb } from "./layout.ts";
import { unpackLight } from "./pack.ts";
import { lit } from "./paint.ts";

/**
 * A source in packed colours. It is a constant, so that it is copied to the device once, and may fill
 * only a part of its rows: `SOURCE` says which.
 */
export interface SourceThis extends KernelThis {
  readonly constants: {
    /** 0: colours, 1: alpha. */
    readonly wanted: number;
    /**
     * Rows of packed colours. Two indices, because gpu.js computes in 32-bit floats: a single one would
     * lose pixels beyond 2²⁴, where two become integers first.
     */
    readonly colours: readonly Float32Array[];
    /** Rows of alpha 0…255; a single number if all is opaque. */
    readonly alphas: readonly Float32Array[];
    /** 1 if there is alpha. */
    readonly hasAlpha: number;
  };
}

export const SOURCE = layout({
  /** The last column and row, in pixels. */
  right: 1,
  bottom: 1,
  /** Square root of the luminance of the source's mean colour. */
  meanLightness: 1,
});

/** The four pixels around a position and their weights. */
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
export function tapsAt(x: number, y: number, right: number, bottom: number): Taps {
  const insideX = Math.min(Math.max(x, 0), right);
  const insideY = Math.min(Math.max(y, 0), bottom);
  const column = Math.floor(insideX);
  const row = Math.floor(insideY);
  const fx = insideX - column;
  const fy = insideY - row;
  return {
    upper: row,
    lower: Math.min(row + 1, bottom),
    left: column,
    right: Math.min(column + 1, right),
    upperLeft: (1 - fx) * (1 - fy),
    upperRight: fx * (1 - fy),
    lowerLeft: (1 - fx) * fy,
    lowerRight: fx * fy,
  };
}

/** Samples alpha by bilinear interpolation. */
export const sourceAlpha = (alphas: readonly Float32Array[], taps: Taps) =>
  (alphas[taps.upper][taps.left] * taps.upperLeft +
    alphas[taps.upper][taps.right] * taps.upperRight +
    alphas[taps.lower][taps.left] * taps.lowerLeft +
    alphas[taps.lower][taps.right] * taps.lowerRight) /
  255;

/** Returns the taps with their weights multiplied by the pixels' alpha. */
export function weightedByAlpha(alphas: readonly Float32Array[], taps: Taps): Taps {
  return {
    upper: taps.upper,
    lower: taps.lower,
    left: taps.left,
    right: taps.right,
    upperLeft: (taps.upperLeft * alphas[taps.upper][taps.left]) / 255,
    upperRight: (taps.upperRight * alphas[taps.upper][taps.right]) / 255,
    lowerLeft: (taps.lowerLeft * alphas[taps.lower][taps.left]) / 255,
    lowerRight: (taps.lowerRight * alphas[taps.lower][taps.right]) / 255,
  };
}

/** Samples the linear light of packed colours. */
export function sourceLight(colours: readonly Float32Array[], taps: Taps): Rgb {
  const upperLeft = lit(unpackLight(colours[taps.upper][taps.left]), taps.upperLeft);
  const upperRight = lit(unpackLight(colours[taps.upper][taps.right]), taps.upperRight);
  const lowerLeft = lit(unpackLight(colours[taps.lower][taps.left]), taps.lowerLeft);
  const lowerRight = lit(unpackLight(colours[taps.lower][taps.right]), taps.lowerRight);
  return {
    red: upperLeft.red + upperRight.red + lowerLeft.red + lowerRight.red,
    green: upperLeft.green + upperRight.green + lowerLeft.green + lowerRight.green,
    blue: upperLeft.blue + upperRight.blue + lowerLeft.blue + lowerRight.blue,
  };
}
