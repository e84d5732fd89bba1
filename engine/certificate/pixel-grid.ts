/** Operations that take pixels onto pixels: where they lie, and where a picture is looked at. */
import { type Affine, compose, scaling, translation } from "../geometry/affine.ts";
import { commonDivisor, type Size } from "./torus-lattice.ts";

/** Below this a number is whole: what is left are errors of rounding. */
const ROUNDING = 1e-6;

/** A map of fractions of a picture as a map of the indices of its pixels. */
export function indexMap({ width, height }: Size, map: Affine): Affine {
  return compose(
    translation(-0.5, -0.5),
    scaling(width, height),
    map,
    scaling(1 / width, 1 / height),
    translation(0.5, 0.5),
  );
}

/**
 * The maps of pixel indices in whole numbers that differ from one by where its origin lies alone,
 * within a pixel or so, nearest first; none where no origin brings it onto the grid. An origin is
 * fitted, but how far a translation or a glide goes is known.
 */
export function nearOnGrid({ a, b, c, d, e, f }: Affine): Affine[] {
  const linear = { a: Math.round(a), b: Math.round(b), c: Math.round(c), d: Math.round(d) };
  const off = Math.abs(a - linear.a) + Math.abs(b - linear.b);
  if (off + Math.abs(c - linear.c) + Math.abs(d - linear.d) > ROUNDING) return [];
  const near: { readonly map: Affine; readonly away: number }[] = [];
  for (let m = Math.round(e) - 1; m <= Math.round(e) + 1; m++) {
    for (let n = Math.round(f) - 1; n <= Math.round(f) + 1; n++) {
      const [x, y] = [m - e, n - f];
      if (isOfOrigin(linear, x, y)) {
        near.push({ map: { ...linear, e: m, f: n }, away: Math.hypot(x, y) });
      }
    }
  }
  return near.sort((one, other) => one.away - other.away).map(({ map }) => map);
}

type Linear = Pick<Affine, "a" | "b" | "c" | "d">;

/** Whether (x, y) is o − A·o for an origin o. */
function isOfOrigin({ a, b, c, d }: Linear, x: number, y: number): boolean {
  if (a * d - b * c < 0) {
    // Of a reflection those across its line.
    return Math.abs(x + a * x + b * y) + Math.abs(y + c * x + d * y) < ROUNDING;
  }
  const isIdentity = a === 1 && d === 1;
  return !isIdentity || Math.abs(x) + Math.abs(y) < ROUNDING;
}

/**
 * Indices of about `most` pixels that lie evenly over a picture and in step with no period; of all,
 * in order, where there are no more.
 */
export function* places({ width, height }: Size, most: number): Generator<number> {
  const count = width * height;
  const step = count <= most ? 1 : coprime(Math.round(count * GOLDEN), count);
  const end = Math.min(count, most);
  for (let n = 0, at = 0; n < end; n++) {
    yield at;
    at += step;
    if (at >= count) at -= count;
  }
}

/** The next number that has no divisor in common with another, so that no column is left out. */
function coprime(start: number, other: number): number {
  let number = start;
  while (commonDivisor(number, other) !== 1) number++;
  return number;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;
