/**
 * Fits cubic Bézier curves to points (P. J. Schneider, "An Algorithm for Automatically Fitting Digitized Curves",
 * Graphics Gems, 1990).
 */
import type { Curve } from "../encoders/vector-picture.ts";
import type { Point } from "../geometry/affine.ts";

/** Attempts to move the points' parameters along a curve before it is split. */
const ATTEMPTS = 4;

/** More points are split without an attempt, so that the time grows with their number alone. */
const MOST_POINTS = 512;

/** Points on each side of a split from which the direction there is taken. */
const REACH = 3;

/** Curves that miss a point by more than so many tolerances are split without an attempt. */
const HOPELESS = 3;

/**
 * Yields curves through the first and the last of at least two different points that pass the others within
 * `tolerance`.
 * @param startTangent unit vector at the first point, into the line
 * @param endTangent unit vector at the last point, back into the line
 */
export function* fitCurves(
  points: readonly Point[],
  startTangent: Point,
  endTangent: Point,
  tolerance: number,
): Generator<Curve> {
  const parameters = new Float64Array(points.length);

  function* fitRange(first: number, last: number, start: Point, end: Point): Generator<Curve> {
    if (last - first < 2) {
      yield leastSquares(points, parameters, first, last, start, end);
      return;
    }
    setByChordLength(points, parameters, first, last);
    let split = (first + last) >> 1;
    const attempts = last - first < MOST_POINTS ? ATTEMPTS : -1;
    for (let attempt = 0; attempt <= attempts; attempt++) {
      const curve = leastSquares(points, parameters, first, last, start, end);
      let most = 0;
      for (let n = first + 1; n < last; n++) {
        const { x, y } = pointOn(points[first], curve, parameters[n]);
        const distance = (x - points[n].x) ** 2 + (y - points[n].y) ** 2;
        if (distance > most) [most, split] = [distance, n];
      }
      if (most <= tolerance ** 2) {
        yield curve;
        return;
      }
      if (most > (HOPELESS * tolerance) ** 2) break;
      for (let n = first + 1; n < last; n++) {
        parameters[n] = nearer(points[first], curve, parameters[n], points[n]);
      }
    }
    const before = points[Math.max(first, split - REACH)];
    const after = points[Math.min(last, split + REACH)];
    const forwards = unit(before, after) ?? unit(points[split], points[split + 1]) ?? start;
    yield* fitRange(first, split, start, { x: -forwards.x, y: -forwards.y });
    yield* fitRange(split, last, forwards, end);
  }

  yield* fitRange(0, points.length - 1, startTangent, endTangent);
}

/** Returns the unit vector from a point towards another, or null if they are the same. */
export function unit(from: Point, to: Point): Point | null {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(x, y);
  return length === 0 ? null : { x: x / length, y: y / length };
}

function setByChordLength(
  points: readonly Point[],
  parameters: Float64Array,
  first: number,
  last: number,
): void {
  parameters[first] = 0;
  for (let n = first + 1; n <= last; n++) {
    const step = Math.hypot(points[n].x - points[n - 1].x, points[n].y - points[n - 1].y);
    parameters[n] = parameters[n - 1] + step;
  }
  for (let n = first + 1; n <= last; n++) parameters[n] /= parameters[last];
}

/** Returns the curve with these ends and tangents that is nearest to the points at their parameters. */
function leastSquares(
  points: readonly Point[],
  parameters: Float64Array,
  first: number,
  last: number,
  start: Point,
  end: Point,
): Curve {
  const [from, to] = [points[first], points[last]];
  const chord = Math.hypot(to.x - from.x, to.y - from.y);
  let [startStart, startEnd, endEnd, startRest, endRest] = [0, 0, 0, 0, 0];
  const cosine = start.x * end.x + start.y * end.y;
  for (let n = first + 1; n < last; n++) {
    const u = parameters[n];
    const v = 1 - u;
    const [b0, b1, b2, b3] = [v * v * v, 3 * u * v * v, 3 * u * u * v, u * u * u];
    const x = points[n].x - from.x * (b0 + b1) - to.x * (b2 + b3);
    const y = points[n].y - from.y * (b0 + b1) - to.y * (b2 + b3);
    startStart += b1 * b1;
    startEnd += b1 * b2 * cosine;
    endEnd += b2 * b2;
    startRest += b1 * (start.x * x + start.y * y);
    endRest += b2 * (end.x * x + end.y * y);
  }
  const determinant = startStart * endEnd - startEnd * startEnd;
  let startLength = (startRest * endEnd - endRest * startEnd) / determinant;
  let endLength = (startStart * endRest - startEnd * startRest) / determinant;
  const isUsable = (length: number) => length > 1e-3 * chord && length < 10 * chord;
  if (!(isUsable(startLength) && isUsable(endLength))) startLength = endLength = chord / 3;
  return [
    { x: from.x + startLength * start.x, y: from.y + startLength * start.y },
    { x: to.x + endLength * end.x, y: to.y + endLength * end.y },
    to,
  ];
}

function pointOn(from: Point, [one, other, to]: Curve, u: number): Point {
  const v = 1 - u;
  const [b0, b1, b2, b3] = [v * v * v, 3 * u * v * v, 3 * u * u * v, u * u * u];
  return {
    x: b0 * from.x + b1 * one.x + b2 * other.x + b3 * to.x,
    y: b0 * from.y + b1 * one.y + b2 * other.y + b3 * to.y,
  };
}

/** Returns the parameter after one step of Newton's method towards the curve's nearest place to a point. */
function nearer(from: Point, curve: Curve, u: number, point: Point): number {
  const [one, other, to] = curve;
  const v = 1 - u;
  const speed = (a: number, b: number, c: number, d: number) =>
    3 * (v * v * (b - a) + 2 * u * v * (c - b) + u * u * (d - c));
  const bend = (a: number, b: number, c: number, d: number) =>
    6 * (v * (c - 2 * b + a) + u * (d - 2 * c + b));
  const { x, y } = pointOn(from, curve, u);
  const [dx, dy] = [x - point.x, y - point.y];
  const [vx, vy] = [speed(from.x, one.x, other.x, to.x), speed(from.y, one.y, other.y, to.y)];
  const [ax, ay] = [bend(from.x, one.x, other.x, to.x), bend(from.y, one.y, other.y, to.y)];
  const slope = vx * vx + vy * vy + dx * ax + dy * ay;
  if (slope <= 0) return u;
  return Math.min(1, Math.max(0, u - (dx * vx + dy * vy) / slope));
}
