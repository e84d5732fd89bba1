/** Stages of kernels: pixels, shares of a pixel, and colours in linear light. */
import type { Rgb } from "./layout.ts";

/** Returns row and column of a pixel. The half guards against a GPU's inexact division. */
export function pixelAt(
  index: number,
  width: number,
): { readonly row: number; readonly column: number } {
  const row = Math.floor((index + 0.5) / width);
  return { row, column: index - row * width };
}

/** Clamps `value` to 0…1. */
export const saturate = (value: number) => Math.min(Math.max(value, 0), 1);

/** Returns the share of a pixel inside an edge at the signed distance `depth`. */
export const coverage = (depth: number, pixel: number) =>
  Math.min(Math.max(depth / pixel + 0.5, 0), 1);

/** Wraps `offset` to the nearest copy on a torus of length 1: −½…½. */
export function nearest(offset: number): number {
  return offset - Math.floor(offset + 0.5);
}

/** Wraps an integer into 0…`period` − 1. */
export function wrap(index: number, period: number): number {
  return index - Math.floor((index + 0.5) / period) * period;
}

/** Interpolates between two colours. */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return {
    red: from.red + (to.red - from.red) * share,
    green: from.green + (to.green - from.green) * share,
    blue: from.blue + (to.blue - from.blue) * share,
  };
}

/** Multiplies a colour by a light. */
export function lit(colour: Rgb, light: number): Rgb {
  return { red: colour.red * light, green: colour.green * light, blue: colour.blue * light };
}

export function sum(one: Rgb, other: Rgb): Rgb {
  return {
    red: one.red + other.red,
    green: one.green + other.green,
    blue: one.blue + other.blue,
  };
}

/** Multiplies a colour by a light and adds a white highlight. */
export function glossed(colour: Rgb, light: number, gloss: number): Rgb {
  return {
    red: colour.red * light + (1 - colour.red) * gloss,
    green: colour.green * light + (1 - colour.green) * gloss,
    blue: colour.blue * light + (1 - colour.blue) * gloss,
  };
}
