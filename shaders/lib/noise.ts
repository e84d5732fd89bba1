/**
 * Stages of kernels: noise, from a permutation table of 4096 entries (lib/random.ts). A periodic
 * noise lies on a lattice of `across` × `down` cells that wraps; `x` and `y` count in its cells, and
 * `offset` chooses a part of the table, so that noises differ.
 */

/** Returns the table's entry for any integer. */
export function entryOf(table: Float32Array, index: number): number {
  return table[index - Math.floor(index / 4096) * 4096];
}

/** Returns a hash 0…4095 of integer coordinates. */
export function hashAt(table: Float32Array, x: number, y: number): number {
  const seat = entryOf(table, x) + y;
  return entryOf(table, seat);
}

/** Returns a dither between 0 and 1 to replace the ½ of rounding, which avoids visible steps. */
export function ditherAt(table: Float32Array, x: number, y: number): number {
  return (hashAt(table, x, y) + 0.5) / 4096;
}

/**
 * The same from an integer lattice, without a look-up, in half the time. Effects have different
 * lattices: the second of two equal ones would round to one side.
 */
export function latticeDither(x: number, y: number, right: number, down: number): number {
  const seat = (x * right + y * down + 0.5) / 512;
  return seat - Math.floor(seat);
}

/** Smoothstep from 0 to 1. */
export function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}

/** Interpolates four corners bilinearly at `tx` and `ty`. */
export function bilinear(
  c00: number,
  c10: number,
  c01: number,
  c11: number,
  tx: number,
  ty: number,
): number {
  const upper = c00 + (c10 - c00) * tx;
  const lower = c01 + (c11 - c01) * tx;
  return upper + (lower - upper) * ty;
}

/** A cell of a wrapping lattice and the hashes 0…4095 at its corners. */
export function cornersOf(
  table: Float32Array,
  x0: number,
  y0: number,
  across: number,
  down: number,
  offset: number,
): { readonly h00: number; readonly h10: number; readonly h01: number; readonly h11: number } {
  const x1 = x0 + 1 < across ? x0 + 1 : 0;
  const y1 = y0 + 1 < down ? y0 + 1 : 0;
  const left = table[x0 + offset];
  const right = table[x1 + offset];
  const i00 = left + y0;
  const i10 = right + y0;
  const i01 = left + y1;
  const i11 = right + y1;
  return {
    h00: table[i00 < 4096 ? i00 : i00 - 4096],
    h10: table[i10 < 4096 ? i10 : i10 - 4096],
    h01: table[i01 < 4096 ? i01 : i01 - 4096],
    h11: table[i11 < 4096 ? i11 : i11 - 4096],
  };
}

/** Periodic value noise, 0…4095, inside the lattice: 0 ≤ x < across, 0 ≤ y < down. */
export function periodicNoise(
  table: Float32Array,
  x: number,
  y: number,
  across: number,
  down: number,
  offset: number,
): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const tx = smooth(x - x0);
  const ty = smooth(y - y0);
  const { h00, h10, h01, h11 } = cornersOf(table, x0, y0, across, down, offset);
  return bilinear(h00, h10, h01, h11, tx, ty);
}

/** Unbounded value noise, 0…4095; it repeats horizontally after `period` cells, at most 4096. */
export function valueNoise(
  table: Float32Array,
  x: number,
  y: number,
  period: number,
  offset: number,
): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const tx = smooth(x - x0);
  const ty = smooth(y - y0);
  const left = table[x0 - Math.floor((x0 + 0.5) / period) * period] + y0 + offset;
  const right = table[x0 + 1 - Math.floor((x0 + 1.5) / period) * period] + y0 + offset;
  const h00 = entryOf(table, left);
  const h10 = entryOf(table, right);
  const h01 = entryOf(table, left + 1);
  const h11 = entryOf(table, right + 1);
  return bilinear(h00, h10, h01, h11, tx, ty);
}

/** A cell of Perlin's lattice: the position in it and the gradients (g, k) at its corners, 0…63. */
export interface Gradients {
  readonly tx: number;
  readonly ty: number;
  readonly g00: number;
  readonly g10: number;
  readonly g01: number;
  readonly g11: number;
  readonly k00: number;
  readonly k10: number;
  readonly k01: number;
  readonly k11: number;
}

/** Six bits of a hash are the gradient's x, six its y. */
export function gradientsOf(
  table: Float32Array,
  x: number,
  y: number,
  across: number,
  down: number,
  offset: number,
): Gradients {
  const cellX = Math.floor(x);
  const cellY = Math.floor(y);
  const x0 = cellX - Math.floor((cellX + 0.5) / across) * across;
  const y0 = cellY - Math.floor((cellY + 0.5) / down) * down;
  const { h00, h10, h01, h11 } = cornersOf(table, x0, y0, across, down, offset);
  const g00 = Math.floor(h00 / 64);
  const g10 = Math.floor(h10 / 64);
  const g01 = Math.floor(h01 / 64);
  const g11 = Math.floor(h11 / 64);
  return {
    tx: x - cellX,
    ty: y - cellY,
    g00,
    g10,
    g01,
    g11,
    k00: h00 - g00 * 64,
    k10: h10 - g10 * 64,
    k01: h01 - g01 * 64,
    k11: h11 - g11 * 64,
  };
}

/** The gradients' values at a position, and their mean along the cell's upper and lower edge. */
export interface Ramps {
  readonly n00: number;
  readonly n10: number;
  readonly n01: number;
  readonly n11: number;
  readonly fx: number;
  readonly fy: number;
  readonly upper: number;
  readonly lower: number;
}

export function rampsOf(at: Gradients): Ramps {
  const { tx, ty } = at;
  const n00 = (at.g00 - 31.5) * tx + (at.k00 - 31.5) * ty;
  const n10 = (at.g10 - 31.5) * (tx - 1) + (at.k10 - 31.5) * ty;
  const n01 = (at.g01 - 31.5) * tx + (at.k01 - 31.5) * (ty - 1);
  const n11 = (at.g11 - 31.5) * (tx - 1) + (at.k11 - 31.5) * (ty - 1);
  const fx = tx * tx * tx * (tx * (tx * 6 - 15) + 10);
  const fy = ty * ty * ty * (ty * (ty * 6 - 15) + 10);
  return {
    n00,
    n10,
    n01,
    n11,
    fx,
    fy,
    upper: n00 + (n10 - n00) * fx,
    lower: n01 + (n11 - n01) * fx,
  };
}

/**
 * Perlin's noise (Improving Noise, 2002) with gradients drawn from the unit square, about −1…1,
 * on a lattice that wraps.
 */
export function gradientNoise(
  table: Float32Array,
  x: number,
  y: number,
  across: number,
  down: number,
  offset: number,
): number {
  const at = gradientsOf(table, x, y, across, down, offset);
  const { fy, upper, lower } = rampsOf(at);
  return (upper + (lower - upper) * fy) / 31.5;
}

/** The same noise with its slopes along x and y, 31.5 times as steep. */
export function slopedNoise(
  table: Float32Array,
  x: number,
  y: number,
  across: number,
  down: number,
  offset: number,
): { readonly value: number; readonly slopeX: number; readonly slopeY: number } {
  const at = gradientsOf(table, x, y, across, down, offset);
  const { tx, ty, g00, g10, g01, g11, k00, k10, k01, k11 } = at;
  const { n00, n10, n01, n11, fx, fy, upper, lower } = rampsOf(at);
  const upperX = (g10 - g00) * fx + g00 - 31.5;
  const lowerX = (g11 - g01) * fx + g01 - 31.5;
  const riseX = n10 - n00 + (n11 - n01 - n10 + n00) * fy;
  const upperY = (k10 - k00) * fx + k00 - 31.5;
  const lowerY = (k11 - k01) * fx + k01 - 31.5;
  return {
    value: (upper + (lower - upper) * fy) / 31.5,
    slopeX: upperX + (lowerX - upperX) * fy + 30 * tx * tx * (tx * (tx - 2) + 1) * riseX,
    slopeY: upperY + (lowerY - upperY) * fy + 30 * ty * ty * (ty * (ty - 2) + 1) * (lower - upper),
  };
}

/** Returns the unevenness of ink on paper at a pixel, −½…½. */
export const unevenness = (table: Float32Array, column: number, row: number) =>
  hashAt(table, column, row) / 4096 - 0.5;
