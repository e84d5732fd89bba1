/** Turns the stairs that boundaries along pixels are into curves. */
import type { Curve, Path } from "../encoders/vector-picture.ts";
import type { Point } from "../geometry/affine.ts";
import { fitCurves, unit } from "./fit-curves.ts";

/** Pixels by which curves may miss the smoothed stairs. */
const TOLERANCE = 0.5;

/** How often stairs are averaged. */
const PASSES = 4;

/** Pixels within which a polygon follows the stairs; its corners are looked at. */
const POLYGON_TOLERANCE = 0.8;

/** A polygon that turns by more degrees has a corner there, if both its edges have at least so many pixels. */
const CORNER_DEGREES = 62;
const CORNER_EDGE = 3;

/** Returns curves around a shape. Its corners stay where they are. */
export function curvesAround(outline: readonly Point[]): Path {
  const first = firstCorner(outline);
  if (first !== null) {
    return alongLine([...outline.slice(first), ...outline.slice(0, first), outline[first]]);
  }
  const line = smoothed([...outline, outline[0]], true);
  const tangent = unit(line[line.length - 2], line[1]) ?? { x: 1, y: 0 };
  const back = { x: -tangent.x, y: -tangent.y };
  return { start: line[0], curves: fitCurves(line, tangent, back, TOLERANCE) };
}

/** Returns curves along a line from corner to corner. */
function alongLine(points: readonly Point[]): Path {
  const corners = cornersOf(points);
  const curves: Curve[] = [];
  for (let n = 1; n < corners.length; n++) {
    const line = smoothed(points.slice(corners[n - 1], corners[n] + 1), false);
    const last = line.length - 1;
    const start = unit(line[0], line[1]);
    const end = unit(line[last], line[last - 1]);
    if (start === null || end === null) continue;
    for (const curve of fitCurves(line, start, end, TOLERANCE)) curves.push(curve);
  }
  return { start: points[0], curves };
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
  const limit = Math.cos((CORNER_DEGREES * Math.PI) / 180);
  return polygon.filter((at, n) => {
    if (n === 0 || n === polygon.length - 1) return true;
    const [before, corner, after] = [points[polygon[n - 1]], points[at], points[polygon[n + 1]]];
    const [one, other] = [unit(before, corner), unit(corner, after)];
    if (one === null || other === null) return true;
    const shorter = Math.min(
      Math.hypot(corner.x - before.x, corner.y - before.y),
      Math.hypot(after.x - corner.x, after.y - corner.y),
    );
    return shorter >= CORNER_EDGE && one.x * other.x + one.y * other.y < limit;
  });
}

/** Points of a line that are looked at together: the time grows with their square. */
const CHUNK = 512;

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

/** Averages each point with its neighbours, several times: that leaves little of the stairs. */
function smoothed(points: readonly Point[], isClosed: boolean): Point[] {
  let line = [...points];
  const last = points.length - 1;
  for (let pass = 0; pass < PASSES; pass++) {
    line = line.map((point, n) => {
      if (!isClosed && (n === 0 || n === last)) return point;
      const [before, after] = [line[n === 0 ? last - 1 : n - 1], line[n === last ? 1 : n + 1]];
      return {
        x: (before.x + 2 * point.x + after.x) / 4,
        y: (before.y + 2 * point.y + after.y) / 4,
      };
    });
  }
  return line;
}
