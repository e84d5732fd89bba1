/** The origin at which a group fits best: the highest point of a Fourier series. */
import type { Point } from "../geometry/affine.ts";

/** re·cos − im·sin of 2π(u·x + v·y). */
export interface Term {
  readonly u: number;
  readonly v: number;
  readonly re: number;
  readonly im: number;
}

/** Samples to the shortest wave; enough to come into the reach of Newton's steps. */
const SAMPLES = 3;
const MOST_SAMPLES = 512;
const STEPS = 12;

/** The value of a series at a point. */
export function seriesAt(terms: readonly Term[], { x, y }: Point): number {
  let sum = 0;
  for (const { u, v, re, im } of terms) {
    const angle = 2 * Math.PI * (u * x + v * y);
    sum += re * Math.cos(angle) - im * Math.sin(angle);
  }
  return sum;
}

/**
 * Where a series of a lattice's frequencies is highest, within one cell of the lattice: the best
 * of a grid, then Newton's method.
 */
export function highestPoint(terms: readonly Term[], [a, b]: readonly [Point, Point]): Point {
  // In coordinates of the cell frequencies are whole numbers again.
  const own = gather(
    terms.map((term) => ({
      ...term,
      u: Math.round(term.u * a.x + term.v * a.y),
      v: Math.round(term.u * b.x + term.v * b.y),
    })),
  );
  if (own.length === 0) return { x: 0, y: 0 };
  const { x, y } = climb(own, highestSample(own));
  return { x: x * a.x + y * b.x, y: x * a.y + y * b.y };
}

/** Terms of the same frequency, up to its sign, made one; the constant ones left out. */
function gather(terms: readonly Term[]): Term[] {
  const sums = new Map<string, { u: number; v: number; re: number; im: number }>();
  for (const { u, v, re, im } of terms) {
    if (u === 0 && v === 0) continue;
    const sign = u > 0 || (u === 0 && v > 0) ? 1 : -1;
    const key = `${sign * u},${sign * v}`;
    const sum = sums.get(key) ?? { u: sign * u, v: sign * v, re: 0, im: 0 };
    sum.re += re;
    sum.im += sign * im;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

/** The highest point of a grid over the unit square: first along v for each u, then along u. */
function highestSample(terms: readonly Term[]): Point {
  const rows = samplesFor(terms.map(({ v }) => Math.abs(v)));
  const columns = samplesFor(terms.map(({ u }) => Math.abs(u)));
  const byU = Map.groupBy(terms, ({ u }) => u);
  const highest = { value: Number.NEGATIVE_INFINITY, x: 0, y: 0 };
  const line = new Float64Array(columns);
  const cosines = Float64Array.from({ length: columns }, (_, i) =>
    Math.cos((2 * Math.PI * i) / columns),
  );
  const sines = Float64Array.from({ length: columns }, (_, i) =>
    Math.sin((2 * Math.PI * i) / columns),
  );
  for (let j = 0; j < rows; j++) {
    line.fill(0);
    for (const [u, members] of byU) {
      let [re, im] = [0, 0];
      for (const term of members) {
        const angle = (2 * Math.PI * ((term.v * j) % rows)) / rows;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        re += term.re * cos - term.im * sin;
        im += term.re * sin + term.im * cos;
      }
      for (let i = 0, at = 0; i < columns; i++) {
        line[i] = (line[i] as number) + re * (cosines[at] as number) - im * (sines[at] as number);
        at += u;
        if (at >= columns) at -= columns;
      }
    }
    line.forEach((value, i) => {
      // A later one has to be better by more than rounding, so that ties go the same way.
      if (value > highest.value + 1e-9)
        Object.assign(highest, { value, x: i / columns, y: j / rows });
    });
  }
  return highest;
}

function samplesFor(waves: readonly number[]): number {
  return Math.min(MOST_SAMPLES, Math.max(8, SAMPLES * Math.max(...waves)));
}

/** Newton's steps to the top, damped where the series is flat in one direction. */
function climb(terms: readonly Term[], start: Point): Point {
  let point = start;
  for (let step = 0; step < STEPS; step++) {
    let [gx, gy, xx, xy, yy] = [0, 0, 0, 0, 0];
    for (const { u, v, re, im } of terms) {
      const angle = 2 * Math.PI * (u * point.x + v * point.y);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const slope = -2 * Math.PI * (re * sin + im * cos);
      const bend = 4 * Math.PI * Math.PI * (re * cos - im * sin);
      gx += u * slope;
      gy += v * slope;
      xx += u * u * bend;
      xy += u * v * bend;
      yy += v * v * bend;
    }
    const ridge = 1e-9 * (Math.abs(xx) + Math.abs(yy));
    const det = (xx + ridge) * (yy + ridge) - xy * xy;
    // Not bent downwards: not near a top.
    if (xx + ridge <= 0 || det <= 0) break;
    const next = {
      x: point.x + ((yy + ridge) * gx - xy * gy) / det,
      y: point.y + ((xx + ridge) * gy - xy * gx) / det,
    };
    if (seriesAt(terms, next) <= seriesAt(terms, point)) break;
    point = next;
  }
  return point;
}
