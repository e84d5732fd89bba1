/** Constants of kernels that sample a source, and the sampling stages. */
import type { KernelThis } from "../kernel.ts";
import { layout, type RecordOf, type Rgb } from "./layout.ts";
import { unpackLight } from "./pack.ts";
import { lit, saturate } from "./paint.ts";

/**
 * A source in packed colours. It is a constant, so that it is copied to the device once, and may fill
 * only a part of its rows: `SOURCE` says which.
 */
export interface SourceThis extends KernelThis {
  readonly constants: {
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
  /** Pixels of the output along one of the source, to keep its pixels apart; 0 to interpolate over 4 × 4 of them. */
  edges: 1,
});

/** A sample in linear light, premultiplied. */
export interface SourceSample extends Rgb {
  readonly alpha: number;
}

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

/** Samples by bilinear interpolation; beyond the edges lie copies of the edge pixels. */
export function bilinearSample(
  colours: readonly Float32Array[],
  alphas: readonly Float32Array[],
  hasAlpha: number,
  x: number,
  y: number,
  right: number,
  bottom: number,
): SourceSample {
  let alpha = 1;
  let taps = tapsAt(x, y, right, bottom);
  if (hasAlpha > 0) {
    alpha = sourceAlpha(alphas, taps);
    taps = weightedByAlpha(alphas, taps);
  }
  const { red, green, blue } = sourceLight(colours, taps);
  return { red, green, blue, alpha };
}

/**
 * Weight of a pixel at a distance, in pixels: an interpolating filter over four pixels of degree 4. Its lobes overshoot
 * a step by 0.1173 of its height, where Lanczos's filter of three lobes does by 0.1178, and nearly keep that filter's
 * sharpness. Unlike Keys's cubics with lobes as deep, it maps every ramp to itself.
 */
export const quarticWeight = (away: number) =>
  away < 1
    ? (1 - away) * (1 + away * (1.25 - away * (1.40625 + 0.46875 * away)))
    : (1 - away) * (2 - away) * (2 - away) * (0.15625 + 0.46875 * away);

/** Samples by interpolation over 4 × 4 pixels; beyond the edges lie copies of the edge pixels. */
export function quarticSample(
  colours: readonly Float32Array[],
  alphas: readonly Float32Array[],
  hasAlpha: number,
  x: number,
  y: number,
  right: number,
  bottom: number,
): SourceSample {
  const insideX = Math.min(Math.max(x, 0), right);
  const insideY = Math.min(Math.max(y, 0), bottom);
  const column = Math.floor(insideX);
  const row = Math.floor(insideY);
  const fx = insideX - column;
  const u0 = Math.max(column - 1, 0);
  const u2 = Math.min(column + 1, right);
  const u3 = Math.min(column + 2, right);
  const across0 = quarticWeight(1 + fx);
  const across1 = quarticWeight(fx);
  const across2 = quarticWeight(1 - fx);
  const across3 = quarticWeight(2 - fx);
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  for (let tap = 0; tap < 4; tap++) {
    const v = Math.min(Math.max(row + tap - 1, 0), bottom);
    const down = quarticWeight(Math.abs(insideY - row - tap + 1));
    let w0 = across0 * down;
    let w1 = across1 * down;
    let w2 = across2 * down;
    let w3 = across3 * down;
    if (hasAlpha > 0) {
      w0 = (w0 * alphas[v][u0]) / 255;
      w1 = (w1 * alphas[v][column]) / 255;
      w2 = (w2 * alphas[v][u2]) / 255;
      w3 = (w3 * alphas[v][u3]) / 255;
    }
    const light0 = lit(unpackLight(colours[v][u0]), w0);
    const light1 = lit(unpackLight(colours[v][column]), w1);
    const light2 = lit(unpackLight(colours[v][u2]), w2);
    const light3 = lit(unpackLight(colours[v][u3]), w3);
    red += light0.red + light1.red + light2.red + light3.red;
    green += light0.green + light1.green + light2.green + light3.green;
    blue += light0.blue + light1.blue + light2.blue + light3.blue;
    alpha += w0 + w1 + w2 + w3;
  }
  alpha = saturate(alpha);
  return {
    red: Math.min(Math.max(red, 0), alpha),
    green: Math.min(Math.max(green, 0), alpha),
    blue: Math.min(Math.max(blue, 0), alpha),
    alpha,
  };
}

/** Moves a position towards the nearest pixel's centre, unless it is within half an output pixel of an edge. */
export function keptApart(at: number, edges: number): number {
  const pixel = Math.floor(at);
  return pixel + saturate((at - pixel - 0.5) * edges + 0.5);
}

/** Samples the source at a position, in pixels. */
export function sampleSource(
  colours: readonly Float32Array[],
  alphas: readonly Float32Array[],
  hasAlpha: number,
  x: number,
  y: number,
  source: RecordOf<typeof SOURCE>,
): SourceSample {
  const { right, bottom } = source;
  let sample: SourceSample = { red: 0, green: 0, blue: 0, alpha: 0 };
  if (source.edges > 0) {
    const atX = keptApart(x, source.edges);
    const atY = keptApart(y, source.edges);
    sample = bilinearSample(colours, alphas, hasAlpha, atX, atY, right, bottom);
  } else {
    sample = quarticSample(colours, alphas, hasAlpha, x, y, right, bottom);
  }
  return sample;
}
