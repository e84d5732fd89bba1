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

/** Kinds of objects, each with its own light and colour. */
const OBJECTS = 7;

/** Draws `width` × `height` pixels, always the same. */
export function photoLike(width: number, height = width): RgbPicture {
  const side = Math.max(width, height);
  const light = octaves(width, 1, side / 2, 2);
  const warmth = octaves(width, 2, side / 3, 16);
  const tint = octaves(width, 3, side / 3, 16);
  const objects = octaves(width, 4, side / 4, side / 16);
  const tones = Array.from({ length: OBJECTS + 1 }, (_, object) => ({
    light: 50 * hash(object, 0, 5),
    red: 40 * (hash(object, 1, 5) - 0.5),
    blue: 40 * (hash(object, 2, 5) - 0.5),
  }));
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0, i = 0, j = 0; y < height; y++) {
    const [lights, warmths, tints, fields] = [light(y), warmth(y), tint(y), objects(y)];
    for (let x = 0; x < width; x++, i++, j += 3) {
      // Where the slow field crosses a level, another object begins, with other light and colour.
      const tone = tones[Math.floor(fields[x] * OBJECTS)];
      const lit = 10 + 220 * lights[x] + tone.light;
      const red = 50 * (warmths[x] - 0.5) + tone.red;
      const blue = 50 * (tints[x] - 0.5) + tone.blue;
      pixels[j] = clamp(lit + red + grain(i, 0));
      pixels[j + 1] = clamp(lit - 0.3 * red - 0.2 * blue + grain(i, 1));
      pixels[j + 2] = clamp(lit + blue + grain(i, 2));
    }
  }
  return { width, height, pixels };
}

const grain = (i: number, channel: number) =>
  GRAIN * (hash(i, channel, 6) + hash(i, channel, 7) - 1);

/**
 * Value noise of wavelengths from `longest` down to `shortest` pixels, 0…1, as a function that draws
 * the rows in order, each into the same array. Octaves of equal strength would have the 1/f spectrum
 * of sharp photographs; weaker fine ones have that of a picture that is partly out of focus.
 */
function octaves(width: number, seed: number, longest: number, shortest: number) {
  const waves: number[] = [];
  for (let wave = longest; wave >= shortest; wave /= 2) waves.push(wave);
  const strengths = waves.map((wave) => wave ** 0.4);
  const total = strengths.reduce((sum, strength) => sum + strength, 0);
  const rows = waves.map((wave) => noiseRows(width, wave, seed));
  const sum = new Float32Array(width);
  return (y: number): Float32Array => {
    sum.fill(0);
    for (const [octave, strength] of strengths.entries()) rows[octave](y, strength, sum);
    for (let x = 0; x < width; x++) sum[x] /= total;
    return sum;
  };
}

/** One octave: adds a row of noise, times its strength, to `sum`. A lattice row is mixed once. */
function noiseRows(width: number, wave: number, seed: number) {
  const columns = Int32Array.from({ length: width }, (_, x) => Math.floor(x / wave));
  const along = Float64Array.from(columns, (column, x) => smooth(x / wave - column));
  const lattice = new Float64Array(columns[width - 1] + 2);
  const latticeRow = (row: number, into: Float64Array) => {
    for (let column = 0; column < lattice.length; column++) {
      lattice[column] = hash(column, row, seed);
    }
    for (let x = 0; x < width; x++) {
      const column = columns[x];
      into[x] = mix(lattice[column], lattice[column + 1], along[x]);
    }
    return into;
  };
  let above = new Float64Array(width);
  let below = new Float64Array(width);
  let drawn = -2;
  return (y: number, strength: number, sum: Float32Array) => {
    const row = Math.floor(y / wave);
    const down = smooth(y / wave - row);
    if (row !== drawn) {
      [above, below] = [below, above];
      if (row !== drawn + 1) latticeRow(row, above);
      latticeRow(row + 1, below);
      drawn = row;
    }
    for (let x = 0; x < width; x++) sum[x] += strength * mix(above[x], below[x], down);
  };
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
