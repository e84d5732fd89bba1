/** Real Fourier series on a lattice of the plane, and their maxima. */
import type { Point } from "../geometry/affine.ts";

/** A term of a Fourier series: re·cos φ − im·sin φ with φ = 2π(u·x + v·y). */
export interface FourierTerm {
  readonly u: number;
  readonly v: number;
  readonly re: number;
  readonly im: number;
}

/** Samples per shortest wave: enough for Newton's method to converge. */
const SAMPLES_PER_WAVE = 3;
const MAX_SAMPLES = 512;
const NEWTON_STEPS = 12;

/** Returns the value of a series at a point. */
export function evaluateSeries(terms: readonly FourierTerm[], { x, y }: Point): number {
  let sum = 0;
  for (const { u, v, re, im } of terms) {
    const angle = 2 * Math.PI * (u * x + v * y);
    sum += re * Math.cos(angle) - im * Math.sin(angle);
  }
  return sum;
}

/**
 * Returns the maximum of a series within one cell of the lattice: the best point of a grid, refined
 * by Newton's method.
 */
export function maximumOf(terms: readonly FourierTerm[], [a, b]: readonly [Point, Point]): Point {
  // In coordinates of the cell, frequencies are integers.
  const own = mergeTerms(
    terms.map((term) => ({
      ...term,
      u: Math.round(term.u * a.x + term.v * a.y),
      v: Math.round(term.u * b.x + term.v * b.y),
    })),
  );
  if (own.length === 0) return { x: 0, y: 0 };
  const { x, y } = newtonAscent(own, maximumOnGrid(own));
  return { x: x * a.x + y * b.x, y: x * a.y + y * b.y };
}

/** Merges terms of the same frequency up to sign, and drops constant terms. */
function mergeTerms(terms: readonly FourierTerm[]): FourierTerm[] {
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

/** Returns the maximum on a grid over the unit square, summed along v for each u, then along u. */
function maximumOnGrid(terms: readonly FourierTerm[]): Point {
  const rows = samplesFor(terms.map(({ v }) => Math.abs(v)));
  const columns = samplesFor(terms.map(({ u }) => Math.abs(u)));
  const byU = Map.groupBy(terms, ({ u }) => u);
  const highest = { value: Number.NEGATIVE_INFINITY, x: 0, y: 0 };
  const line = new Float64Array(columns);
  const across = turnsOf(columns);
  const down = turnsOf(rows);
  for (let j = 0; j < rows; j++) {
    line.fill(0);
    for (const [u, members] of byU) {
      let [re, im] = [0, 0];
      for (const term of members) {
        const turn = (term.v * j) % rows;
        const cos = down.cos[Math.abs(turn)];
        const sin = Math.sign(turn) * down.sin[Math.abs(turn)];
        re += term.re * cos - term.im * sin;
        im += term.re * sin + term.im * cos;
      }
      for (let i = 0, at = 0; i < columns; i++) {
        line[i] += re * across.cos[at] - im * across.sin[at];
        at += u;
        if (at >= columns) at -= columns;
      }
    }
    for (let i = 0; i < columns; i++) {
      // Ties within rounding keep the first point, so that the result is deterministic.
      if (line[i] > highest.value + 1e-9)
        Object.assign(highest, { value: line[i], x: i / columns, y: j / rows });
    }
  }
  return highest;
}

/** Cosines and sines of the parts of a turn. */
function turnsOf(parts: number) {
  const angles = Float64Array.from({ length: parts }, (_, i) => (2 * Math.PI * i) / parts);
  return { cos: angles.map(Math.cos), sin: angles.map(Math.sin) };
}

function samplesFor(waves: readonly number[]): number {
  return Math.min(MAX_SAMPLES, Math.max(8, SAMPLES_PER_WAVE * Math.max(...waves)));
}

/** Climbs to a local maximum by Newton's method, damped where the series is flat in one direction. */
function newtonAscent(terms: readonly FourierTerm[], start: Point): Point {
  let point = start;
  for (let step = 0; step < NEWTON_STEPS; step++) {
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
    // The Hessian is not negative definite: not near a maximum.
    if (xx + ridge <= 0 || det <= 0) break;
    const next = {
      x: point.x + ((yy + ridge) * gx - xy * gy) / det,
      y: point.y + ((xx + ridge) * gy - xy * gx) / det,
    };
    if (evaluateSeries(terms, next) <= evaluateSeries(terms, point)) break;
    point = next;
  }
  return point;
}
