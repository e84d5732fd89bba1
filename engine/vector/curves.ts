/** Turns the stairs that boundaries along pixels are into curves. */
import type { Curve } from "../encoders/vector-picture.ts";
import type { Point } from "../geometry/affine.ts";
import { fitCurves, unit } from "./fit-curves.ts";

/** Pixels by which curves may miss the smoothed stairs. */
const TOLERANCE = 0.6;

/** How often stairs are smoothed: each point moves so far towards the middle of its neighbours. */
const PASSES = 4;
const TOWARDS = 0.5;

/** Lines of fewer points would lose much of their shape's area: each pass moves them back so far. */
const SHORT = 64;
const BACK = -0.53;

/** Curves around fewer points are scaled to the area of their shape if no end moves by more pixels. */
const SMALL = 256;
const MOST_MOVED = 0.5;

/** Pixels within which a polygon follows the stairs; only its vertices can be corners. */
const POLYGON_TOLERANCE = 0.8;

/** A polygon has corners only where it turns by more degrees, and by more than around a disc. */
const CORNER_DEGREES = 62;

/** Pixels by which a polygon may be within a disc. */
const DISC_TOLERANCE = 1.1;

/** Yields curves around a shape, the first one from where the last one ends. They keep its corners and its area. */
export function* curvesAround(outline: readonly Point[]): Generator<Curve> {
  const curves = fittedAround(outline);
  yield* outline.length < SMALL ? scaledToArea([...curves], areaOf(outline)) : curves;
}

function* fittedAround(outline: readonly Point[]): Generator<Curve> {
  const first = firstCorner(outline);
  if (first !== null) {
    yield* alongLine([...outline.slice(first), ...outline.slice(0, first), outline[first]]);
    return;
  }
  const line = smoothed([...outline, outline[0]], true);
  const tangent = unit(line[line.length - 2], line[1]) ?? { x: 1, y: 0 };
  const back = { x: -tangent.x, y: -tangent.y };
  yield* fitCurves(line, tangent, back, TOLERANCE);
}

/** Returns closed curves scaled about the middle of their ends to enclose `area` square pixels, if that moves them little. */
function scaledToArea(curves: readonly Curve[], area: number): readonly Curve[] {
  const middle = { x: 0, y: 0 };
  for (const [, , end] of curves) {
    middle.x += end.x / curves.length;
    middle.y += end.y / curves.length;
  }
  const reach = Math.max(...curves.map(([, , { x, y }]) => Math.hypot(x - middle.x, y - middle.y)));
  const scale = Math.sqrt(area / areaWithin(curves));
  if (!(Math.abs(scale - 1) * reach <= MOST_MOVED)) return curves;
  const scaled = ({ x, y }: Point): Point => ({
    x: middle.x + scale * (x - middle.x),
    y: middle.y + scale * (y - middle.y),
  });
  return curves.map(([one, other, end]): Curve => [scaled(one), scaled(other), scaled(end)]);
}

/** Returns the area of a polygon. */
function areaOf(points: readonly Point[]): number {
  let twice = 0;
  let from = points[points.length - 1];
  for (const to of points) {
    twice += from.x * to.y - to.x * from.y;
    from = to;
  }
  return Math.abs(twice) / 2;
}

/** Returns the area within closed curves, by Green's theorem. */
function areaWithin(curves: readonly Curve[]): number {
  let sum = 0;
  let from = curves[curves.length - 1][2];
  for (const [one, other, to] of curves) {
    sum += (to.y - from.y) * (one.x + other.x) - (to.x - from.x) * (one.y + other.y);
    sum += one.y * (from.x - other.x) - one.x * (from.y - other.y);
    sum += to.y * (other.x + from.x / 3) - to.x * (other.y + from.y / 3);
    from = to;
  }
  return Math.abs((3 * sum) / 20);
}

/** Yields curves along a line from corner to corner. */
function* alongLine(points: readonly Point[]): Generator<Curve> {
  const corners = cornersOf(points);
  for (let n = 1; n < corners.length; n++) {
    const line = smoothed(points.slice(corners[n - 1], corners[n] + 1), false);
    const last = line.length - 1;
    const start = unit(line[0], line[1]);
    const end = unit(line[last], line[last - 1]);
    if (start && end) yield* fitCurves(line, start, end, TOLERANCE);
  }
}

/** Returns the place of a corner, or null if there is none. */
function firstCorner(outline: readonly Point[]): number | null {
  // The ends of a line are none, so that they are looked for from both sides.
  const half = outline.length >> 1;
  for (const first of [0, half]) {
    const line = [...outline.slice(first), ...outline.slice(0, first), outline[first]];
    const [, corner] = cornersOf(line);
    if (corner < line.length - 1) return (corner + first) % outline.length;
  }
  return null;
}

/** Returns the places of a line's ends and of the corners between them, in order. */
function cornersOf(points: readonly Point[]): number[] {
  const polygon = polygonAlong(points);
  return polygon.filter((at, n) => {
    if (n === 0 || n === polygon.length - 1) return true;
    const [before, corner, after] = [points[polygon[n - 1]], points[at], points[polygon[n + 1]]];
    const [one, other] = [unit(before, corner), unit(corner, after)];
    if (one === null || other === null) return true;
    const shorter = Math.min(
      Math.hypot(corner.x - before.x, corner.y - before.y),
      Math.hypot(after.x - corner.x, after.y - corner.y),
    );
    const turn = Math.acos(Math.min(1, one.x * other.x + one.y * other.y));
    const turnAroundDisc = 4 * Math.atan((2 * DISC_TOLERANCE) / shorter);
    return turn > Math.max((CORNER_DEGREES * Math.PI) / 180, turnAroundDisc);
  });
}

/** Points of a line that are looked at together: the time grows with their square. */
const CHUNK = 128;

/**
 * Returns the places of a line's points that the algorithm of Ramer, Douglas and Peucker keeps, and of every
 * `CHUNK`th.
 */
function polygonAlong(points: readonly Point[]): number[] {
  const kept = [points.length - 1];
  for (let at = 0; at < points.length - 1; at += CHUNK) kept.push(at);
  const pending = kept.slice(1).map((at) => [at, Math.min(at + CHUNK, points.length - 1)]);
  for (let range = pending.pop(); range; range = pending.pop()) {
    const [first, last] = range;
    const from = points[first];
    const along = unit(from, points[last]);
    let most = POLYGON_TOLERANCE;
    let at = -1;
    for (let n = first + 1; n < last; n++) {
      const [x, y] = [points[n].x - from.x, points[n].y - from.y];
      const distance = along ? Math.abs(x * along.y - y * along.x) : Math.hypot(x, y);
      if (distance > most) [most, at] = [distance, n];
    }
    if (at < 0) continue;
    kept.push(at);
    pending.push([first, at], [at, last]);
  }
  return kept.sort((one, other) => one - other);
}

/**
 * Returns a line with little of its stairs. Short ones keep their size (G. Taubin, "A Signal Processing Approach to Fair
 * Surface Design", 1995).
 */
function smoothed(points: readonly Point[], isClosed: boolean): readonly Point[] {
  let line = points;
  for (let pass = 0; pass < PASSES; pass++) {
    line = moved(line, TOWARDS, isClosed);
    if (points.length < SHORT) line = moved(line, BACK, isClosed);
  }
  return line;
}

/** Moves points by a share of the way to the middle of their neighbours; a line's ends stay. */
function moved(line: readonly Point[], share: number, isClosed: boolean): Point[] {
  const last = line.length - 1;
  return line.map((point, n) => {
    if (!isClosed && (n === 0 || n === last)) return point;
    const [before, after] = [line[n === 0 ? last - 1 : n - 1], line[n === last ? 1 : n + 1]];
    return {
      x: point.x + share * ((before.x + after.x) / 2 - point.x),
      y: point.y + share * ((before.y + after.y) / 2 - point.y),
    };
  });
}
