/**
 * All translations of a picture, from the frequencies that it is made of: the significant ones
 * generate a lattice, and the translations are its dual.
 */
import type { Point } from "../geometry/affine.ts";
import type { Frequency, Spectrum } from "./spectrum.ts";
import { latticeWithDual, type Size, type TorusLattice } from "./torus-lattice.ts";

/** Primes up to the highest number of cells side by side that is looked for. */
const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47];

/**
 * The lattice of translations; null for stripes, which any translation along them leaves as they
 * are. `tolerance` is the share of the power that may lie outside.
 */
export function translationsOf(
  spectrum: Spectrum,
  size: Size,
  tolerance: number,
): TorusLattice | null {
  const { frequencies } = spectrum;
  const power = spectrum.power.map((value, at) => value * (spectrum.weight[at] as number));
  const total = power.reduce((sum, value) => sum + value, 0);
  const most = tolerance * total;
  if (outsideStripes(frequencies, power) <= most) return null;

  // Down from all frequencies, one prime at a time, as long as the lattice still holds the power.
  let p: Frequency = { u: 1, v: 0 };
  let q: Frequency = { u: 0, v: 1 };
  for (const prime of PRIMES) {
    for (;;) {
      const within = coordinates(frequencies, p, q);
      const { line, outside } = bestSublattice(within, power, prime);
      if (outside > most) break;
      // With h = i·p + j·q: either j ≡ line·i, or i ≡ 0 (modulo the prime).
      [p, q] =
        line < prime
          ? [
              { u: p.u + line * q.u, v: p.v + line * q.v },
              { u: prime * q.u, v: prime * q.v },
            ]
          : [{ u: prime * p.u, v: prime * p.v }, q];
    }
  }
  return latticeWithDual(p, q, size);
}

/** Relative error of a translation by fractions of the picture. */
export function translationError(spectrum: Spectrum, { x, y }: Point): number {
  const { frequencies, power, weight } = spectrum;
  let [error, total] = [0, 0];
  frequencies.forEach(({ u, v }, at) => {
    const own = (power[at] as number) * (weight[at] as number);
    total += own;
    error += own * (2 - 2 * Math.cos(2 * Math.PI * (u * x + v * y)));
  });
  return total === 0 ? 0 : Math.sqrt(error / total);
}

/** Power of all waves that run in another direction than the strongest one. */
function outsideStripes(frequencies: readonly Frequency[], power: Float64Array): number {
  let strongest = 0;
  power.forEach((value, at) => {
    if (value > (power[strongest] as number)) strongest = at;
  });
  const k = frequencies[strongest] as Frequency;
  return frequencies.reduce(
    (sum, { u, v }, at) => (u * k.v === v * k.u ? sum : sum + (power[at] as number)),
    0,
  );
}

/** Places of the frequencies in the basis p, q; null for those outside its lattice. */
function coordinates(frequencies: readonly Frequency[], p: Frequency, q: Frequency) {
  const det = p.u * q.v - p.v * q.u;
  return frequencies.map(({ u, v }) => {
    const i = (u * q.v - v * q.u) / det;
    const j = (p.u * v - p.v * u) / det;
    return Number.isInteger(i) && Number.isInteger(j) ? { i, j } : null;
  });
}

/**
 * The sublattice of a prime index with the most power in it, as a line of the projective line
 * over that field: every frequency lies on one of its prime + 1 lines, or on all.
 */
function bestSublattice(
  within: readonly ({ readonly i: number; readonly j: number } | null)[],
  power: Float64Array,
  prime: number,
) {
  const onLine = new Float64Array(prime + 1);
  let total = 0;
  let onAll = 0;
  within.forEach((place, at) => {
    const value = power[at] as number;
    total += value;
    if (place === null) return;
    const i = modulo(place.i, prime);
    const j = modulo(place.j, prime);
    if (i === 0 && j === 0) {
      onAll += value;
      return;
    }
    const line = i === 0 ? prime : (j * inverse(i, prime)) % prime;
    onLine[line] = (onLine[line] as number) + value;
  });
  let line = 0;
  onLine.forEach((value, at) => {
    if (value > (onLine[line] as number)) line = at;
  });
  return { line, outside: total - onAll - (onLine[line] as number) };
}

const modulo = (value: number, size: number) => ((value % size) + size) % size;

/** 1/i modulo a prime, for i from 1. */
function inverse(i: number, prime: number): number {
  let x = 1;
  while ((x * i) % prime !== 1) x++;
  return x;
}
