/** Finds the lattice of translations whose dual holds the significant frequencies of a spectrum. */
import type { Size } from "../size.ts";
import { latticeWithDual, type TorusLattice } from "./lattice.ts";
import type { Frequency, Spectrum } from "./spectrum.ts";

/** Primes up to the largest number of cells side by side to search for. */
const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47];

/**
 * Returns the lattice of translations; null for stripes, which every translation along them preserves.
 * @param tolerance share of the power that may be outside the dual lattice
 */
export function translationsOf(
  spectrum: Spectrum,
  size: Size,
  tolerance: number,
): TorusLattice | null {
  const { frequencies, weight } = spectrum;
  const power = spectrum.power.map((value, at) => value * weight[at]);
  const total = power.reduce((sum, value) => sum + value, 0);
  const most = tolerance * total;
  if (powerOutsideStripes(frequencies, power) <= most) return null;

  // From all frequencies to sublattices of prime index, as long as the sublattice keeps the power.
  let p: Frequency = { u: 1, v: 0 };
  let q: Frequency = { u: 0, v: 1 };
  let within = coordinates(frequencies, p, q);
  for (const prime of PRIMES) {
    for (;;) {
      const { line, held } = bestSublattice(within, power, prime);
      if (total - held > most) break;
      // With h = i·p + j·q: either j ≡ line·i, or i ≡ 0 (modulo the prime).
      [p, q] =
        line < prime
          ? [
              { u: p.u + line * q.u, v: p.v + line * q.v },
              { u: prime * q.u, v: prime * q.v },
            ]
          : [{ u: prime * p.u, v: prime * p.v }, q];
      within = coordinates(frequencies, p, q);
    }
  }
  return latticeWithDual(p, q, size);
}

/** Total power of the waves that are not parallel to the strongest one. */
function powerOutsideStripes(frequencies: readonly Frequency[], power: Float64Array): number {
  let strongest = 0;
  power.forEach((value, at) => {
    if (value > power[strongest]) strongest = at;
  });
  const k = frequencies[strongest];
  return frequencies.reduce(
    (sum, { u, v }, at) => (u * k.v === v * k.u ? sum : sum + power[at]),
    0,
  );
}

/** Frequencies in the basis of a lattice: the index of each of those in it, and its coordinates i and j. */
interface Coordinates {
  readonly count: number;
  readonly at: Int32Array;
  readonly i: Int32Array;
  readonly j: Int32Array;
}

function coordinates(frequencies: readonly Frequency[], p: Frequency, q: Frequency): Coordinates {
  const det = p.u * q.v - p.v * q.u;
  const found = () => new Int32Array(frequencies.length);
  const within = { at: found(), i: found(), j: found() };
  let count = 0;
  for (let at = 0; at < frequencies.length; at++) {
    const { u, v } = frequencies[at];
    const i = (u * q.v - v * q.u) / det;
    const j = (p.u * v - p.v * u) / det;
    if (!Number.isInteger(i) || !Number.isInteger(j)) continue;
    within.at[count] = at;
    within.i[count] = i;
    within.j[count] = j;
    count++;
  }
  return { ...within, count };
}

/**
 * Returns the sublattice of a prime index with the most power, as a point of the projective line over
 * the prime field: every frequency is in one of prime + 1 sublattices, or in all.
 */
function bestSublattice({ count, at, i, j }: Coordinates, power: Float64Array, prime: number) {
  const inverses = inversesModulo(prime);
  const onLine = new Float64Array(prime + 1);
  let onAll = 0;
  for (let n = 0; n < count; n++) {
    const value = power[at[n]];
    // −k is in the same sublattices as k, so i may be made positive.
    const sign = i[n] < 0 ? -1 : 1;
    const across = (sign * i[n]) % prime;
    const down = ((sign * j[n]) % prime) + prime;
    if (across !== 0) onLine[(down * inverses[across]) % prime] += value;
    else if (down % prime !== 0) onLine[prime] += value;
    else onAll += value;
  }
  let line = 0;
  onLine.forEach((value, at) => {
    if (value > onLine[line]) line = at;
  });
  return { line, held: onAll + onLine[line] };
}

/** Returns the multiplicative inverses of 1 … prime − 1 modulo a prime, each at its own index. */
function inversesModulo(prime: number): Int32Array {
  const inverses = new Int32Array(prime);
  // (prime % i) ≡ −⌊prime / i⌋·i.
  inverses[1] = 1;
  for (let i = 2; i < prime; i++) {
    inverses[i] = prime - ((Math.floor(prime / i) * inverses[prime % i]) % prime);
  }
  return inverses;
}
