import type { PackedRow } from "./picture.ts";
import { SRGB8_TO_LINEAR } from "./transfer.ts";

/**
 * Writes a row in linear light: 3 numbers a pixel, or 4, premultiplied, if it has alpha. 64-bit numbers are
 * faster to filter: JavaScript computes in nothing else, and a row fits in the cache either way.
 */
export function linearizeRow({ colour, alpha }: PackedRow, into: Float64Array): void {
  const light = SRGB8_TO_LINEAR;
  if (alpha === null) {
    for (let at = 0, to = 0; at < colour.length; at += 1, to += 3) {
      const packed = colour[at] | 0;
      into[to] = light[packed >> 16];
      into[to + 1] = light[(packed >> 8) & 255];
      into[to + 2] = light[packed & 255];
    }
    return;
  }
  for (let at = 0, to = 0; at < colour.length; at += 1, to += 4) {
    const packed = colour[at] | 0;
    const weight = alpha[at] / 255;
    into[to] = light[packed >> 16] * weight;
    into[to + 1] = light[(packed >> 8) & 255] * weight;
    into[to + 2] = light[packed & 255] * weight;
    into[to + 3] = weight;
  }
}
