/**
 * Lattices of a picture that wraps. Points are fractions of the picture's width and height, so
 * that the picture's own periods are whole numbers and every lattice with them has a dual lattice
 * of whole frequencies: no pixel grid and no strain spoils its being exact.
 */
import type { Point } from "../geometry/affine.ts";
import { reduce } from "../geometry/isometries.ts";
import type { Frequency } from "./spectrum.ts";

export interface Size {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface TorusLattice {
  /** Two shortest translations, in fractions of the picture. */
  readonly basis: readonly [Point, Point];
  /** The frequencies dual to them: dual[i] · basis[j] is 1 for i = j, else 0. */
  readonly dual: readonly [Frequency, Frequency];
  /** Primitive cells in the picture. */
  readonly index: number;
}

/** The lattice whose translations leave the waves of two frequencies as they are. */
export function latticeWithDual(p: Frequency, q: Frequency, size: Size): TorusLattice {
  const det = p.u * q.v - p.v * q.u;
  const inPixels = (x: number, y: number) => ({ x: x * size.width, y: y * size.height });
  const [a, b] = reduce(inPixels(q.v / det, -q.u / det), inPixels(-p.v / det, p.u / det)).map(
    ({ x, y }) => ({ x: x / size.width, y: y / size.height }),
  ) as [Point, Point];
  const area = a.x * b.y - a.y * b.x;
  return {
    basis: [a, b],
    dual: [
      { u: Math.round(b.y / area), v: Math.round(-b.x / area) },
      { u: Math.round(-a.y / area), v: Math.round(a.x / area) },
    ],
    index: Math.abs(det),
  };
}

/** The lattice of the picture's own periods, and no more. */
export const pictureLattice = (size: Size) => latticeWithDual({ u: 1, v: 0 }, { u: 0, v: 1 }, size);

/** All sublattices of an index up to `most` that still hold the picture's periods, itself first. */
export function sublattices(
  { dual: [p, q], index }: TorusLattice,
  most: number,
  size: Size,
): TorusLattice[] {
  const found: TorusLattice[] = [];
  for (let n = 1; n <= most; n++) {
    if (index % n !== 0) continue;
    for (let a = 1; a <= n; a++) {
      if (n % a !== 0) continue;
      const d = n / a;
      // Dual of the Hermite normal form (a, s; 0, d): p/a and (q − s·p/a)/d.
      for (let s = 0; s < d; s++) {
        const first = { u: p.u / a, v: p.v / a };
        const second = { u: (q.u - s * first.u) / d, v: (q.v - s * first.v) / d };
        if (![first.u, first.v, second.u, second.v].every(Number.isInteger)) continue;
        found.push(latticeWithDual(first, second, size));
      }
    }
  }
  return found;
}

/**
 * Frequencies of a lattice's waves, of k and −k one, the coarsest `most` of them; none finer than
 * `finest` waves a pixel, where the pixel grid begins to tell.
 */
export function frequenciesOf(
  { basis, dual: [p, q], index }: TorusLattice,
  { width, height }: Size,
  { most, finest }: { readonly most: number; readonly finest: number },
): { readonly frequencies: Frequency[]; readonly radius: number } {
  const radius = Math.min(finest, Math.sqrt((2 * most * index) / (Math.PI * width * height)));
  const [rows, columns] = basis.map(({ x, y }) =>
    Math.floor(radius * Math.hypot(x * width, y * height)),
  ) as [number, number];
  const frequencies: Frequency[] = [];
  for (let i = -rows; i <= rows; i++) {
    for (let j = -columns; j <= columns; j++) {
      const u = i * p.u + j * q.u;
      const v = i * p.v + j * q.v;
      if (u < 0 || (u === 0 && v <= 0)) continue;
      if (Math.hypot(u / width, v / height) <= radius) frequencies.push({ u, v });
    }
  }
  return { frequencies, radius };
}

/** The greatest common divisor of two whole numbers, 0 and negative ones included. */
export function commonDivisor(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : commonDivisor(b, a % b);
}
