/**
 * A picture with the statistics of a photograph, made from integer hashes, so that every machine
 * and commit measures the same bytes: objects with edges, a 1/f spectrum within them, weaker colour
 * than brightness, and sensor grain.
 */

import type { Size } from "../../engine/size.ts";

export interface RgbPicture extends Size {
  /** sRGB, 3 bytes a pixel, rows from the top. */
  readonly pixels: Uint8Array;
}

/** Amplitude of the grain, in steps of 1/255. */
const GRAIN = 6;

/** Draws `size` × `size` pixels, always the same. */
export function photoLike(size: number): RgbPicture {
  const light = octaves(size, 1, size / 2, 2);
  const warmth = octaves(size, 2, size / 3, 16);
  const tint = octaves(size, 3, size / 3, 16);
  const objects = octaves(size, 4, size / 4, size / 16);
  const pixels = new Uint8Array(size * size * 3);
  for (let i = 0, j = 0; i < size * size; i++, j += 3) {
    // Where the slow field crosses a level, another object begins, with other light and colour.
    const object = Math.floor(objects[i] * 7);
    const lit = 10 + 220 * light[i] + 50 * hash(object, 0, 5);
    const red = 50 * (warmth[i] - 0.5) + 40 * (hash(object, 1, 5) - 0.5);
    const blue = 50 * (tint[i] - 0.5) + 40 * (hash(object, 2, 5) - 0.5);
    const grain = (channel: number) => GRAIN * (hash(i, channel, 6) + hash(i, channel, 7) - 1);
    pixels[j] = clamp(lit + red + grain(0));
    pixels[j + 1] = clamp(lit - 0.3 * red - 0.2 * blue + grain(1));
    pixels[j + 2] = clamp(lit + blue + grain(2));
  }
  return { width: size, height: size, pixels };
}

/**
 * Value noise of wavelengths from `longest` down to `shortest` pixels, 0…1. Octaves of equal
 * strength would have the 1/f spectrum of sharp photographs; weaker fine ones have that of a
 * picture that is partly out of focus.
 */
function octaves(size: number, seed: number, longest: number, shortest: number): Float32Array {
  const sum = new Float32Array(size * size);
  let total = 0;
  for (let wave = longest; wave >= shortest; wave /= 2) {
    const strength = wave ** 0.4;
    total += strength;
    for (let y = 0; y < size; y++) {
      const row = Math.floor(y / wave);
      const down = smooth(y / wave - row);
      for (let x = 0; x < size; x++) {
        const column = Math.floor(x / wave);
        const along = smooth(x / wave - column);
        const above = mix(hash(column, row, seed), hash(column + 1, row, seed), along);
        const below = mix(hash(column, row + 1, seed), hash(column + 1, row + 1, seed), along);
        sum[y * size + x] += strength * mix(above, below, down);
      }
    }
  }
  return sum.map((value) => value / total);
}

/** An integer hash of three integers as a number in 0…1 (the finaliser of MurmurHash3). */
function hash(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(seed, 0xc2b2ae3d);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 0xffffffff;
}

const smooth = (t: number) => t * t * (3 - 2 * t);
const mix = (a: number, b: number, t: number) => a + (b - a) * t;
const clamp = (value: number) => Math.min(255, Math.max(0, Math.round(value)));
