/** Edges of a fundamental domain that no mirror fixes: there two copies of the picture meet. */
import { type Affine, apply, compose, invert, type Point } from "../../geometry/affine.ts";
import type { Domain } from "../../geometry/domain.ts";

export interface FreeEdge {
  readonly start: Point;
  readonly length: number;
  /** Unit vectors along the edge and out of the domain. */
  readonly along: Point;
  readonly outward: Point;
  /** Maps the domain behind the edge to the domain, and the edge to its partner. */
  readonly element: Affine;
  /** Index of the edge that the element maps it to: its own if a half-turn about its middle does. */
  readonly partner: number;
  /** How steeply a path may leave the edge's ends, inwards and outwards, so that it meets no other one. */
  readonly slopes: {
    readonly inwards: readonly [start: number, end: number];
    readonly outwards: readonly [start: number, end: number];
  };
}

/** Lengths below this are rounding. */
const TINY = 1e-6;

/** Paths are no steeper than this anywhere. */
const STEEPEST = 1;

export function freeEdgesOf({ corners, edges }: Domain): readonly FreeEdge[] {
  const count = corners.length;
  const angles = corners.map((corner, at) =>
    angleBetween(
      minus(corners[(at + count - 1) % count], corner),
      minus(corners[(at + 1) % count], corner),
    ),
  );
  const steepness = (corner: number) => Math.min(STEEPEST, Math.tan(angles[corner] / 2));
  const cornerAt = (point: Point) => corners.findIndex((corner) => isSame(corner, point));
  const free = edges.flatMap((edge, at) => (edge.mirror ? [] : [{ ...edge, at }]));
  return free.map(({ element, at }) => {
    const start = corners[at];
    const end = corners[(at + 1) % count];
    const along = unit(minus(end, start));
    const inverse = invert(element);
    return {
      start,
      length: Math.hypot(end.x - start.x, end.y - start.y),
      along,
      outward: outwardOf(along, start),
      element,
      partner: free.findIndex((other) => isSameMap(other.element, inverse)),
      slopes: {
        inwards: [steepness(at), steepness((at + 1) % count)],
        outwards: [
          steepness(cornerAt(apply(element, start))),
          steepness(cornerAt(apply(element, end))),
        ],
      },
    };
  });
}

const minus = (p: Point, q: Point): Point => ({ x: p.x - q.x, y: p.y - q.y });
const isSame = (p: Point, q: Point) => Math.hypot(p.x - q.x, p.y - q.y) < TINY;

function unit({ x, y }: Point): Point {
  const length = Math.hypot(x, y);
  return { x: x / length, y: y / length };
}

/** The domain's centre lies at the origin. */
function outwardOf({ x, y }: Point, start: Point): Point {
  const side = Math.sign(start.x * y - start.y * x);
  return { x: side * y, y: -side * x };
}

function angleBetween(p: Point, q: Point): number {
  return Math.abs(Math.atan2(p.x * q.y - p.y * q.x, p.x * q.x + p.y * q.y));
}

function isSameMap(m: Affine, n: Affine): boolean {
  const { a, b, c, d, e, f } = compose(m, invert(n));
  return Math.hypot(a - 1, b, c, d - 1, e, f) < TINY;
}
