/**
 * A plane group with a metric lattice: its operations as isometries in Cartesian coordinates, one for
 * each coset of the translations, and a basis of the translations. The unit of length is the edge
 * a of the conventional cell, or a strip's height; x points right, y down, the origin is the tile's corner.
 */
import type { GroupName, Lattice } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import { type Affine, compose, invert, type Point } from "./affine.ts";
import type { StripLattice } from "./friezes.ts";
import { PLANE_GROUPS, type PlaneGroup, planeGroup } from "./plane-groups.ts";

export interface Isometries {
  readonly group: PlaneGroup;
  /** One operation of each coset of the translation subgroup; the identity comes first. */
  readonly cosets: readonly Affine[];
  /** A reduced basis of the translations, centring included (two shortest vectors). */
  readonly basis: readonly [Point, Point];
  /** False if the group is finite: then the basis only spaces effects, and the picture repeats after `period`. */
  readonly translates: boolean;
  /** Smallest width and height of an upright rectangle that repeats. */
  readonly period: Size;
  /** Where a fundamental domain had best be, if several places are as good. */
  readonly middle: Point;
  /** A reduced basis of all translations, those that exchange the colours included. Default: `basis`. */
  readonly lattice?: readonly [Point, Point];
  /** Which of the cosets exchange the colours of a picture and its negative. Default: none. */
  readonly exchanging?: readonly boolean[];
}

/** The positions of each group as maps of fractional coordinates: parsing them takes longer than the rest. */
const POSITIONS: Readonly<Record<string, readonly Affine[]>> = Object.fromEntries(
  PLANE_GROUPS.map(({ name, positions }) => [name, positions.map(parsePosition)]),
);

/**
 * Returns the isometries of a group. `lattice.ratio` applies to oblique and rectangular groups,
 * `lattice.repeat` to p1 and p2; other groups ignore both.
 */
export function isometriesOf(name: GroupName, lattice: Lattice | StripLattice): Isometries {
  const group = planeGroup(name);
  const standard = conventionalCell(group, lattice);
  const { cell, period } = "axes" in lattice ? onStrip(standard, lattice) : standard;
  const back = invert(cell);
  const cosets = POSITIONS[name].map((position) => compose(cell, position, back));
  const a: Point = { x: cell.a, y: cell.c };
  const b: Point = { x: cell.b, y: cell.d };
  const basis = group.centred
    ? reduce({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, { x: (a.x - b.x) / 2, y: (a.y - b.y) / 2 })
    : reduce(a, b);
  const middle =
    "middle" in lattice ? lattice.middle : { x: period.width / 2, y: period.height / 2 };
  return { group, cosets, basis, translates: true, period, middle };
}

/** Returns a cell and its period with the axes and the unit of a strip. */
function onStrip(
  { cell, period }: ReturnType<typeof conventionalCell>,
  { axes, edge }: StripLattice,
): ReturnType<typeof conventionalCell> {
  const scaled = { width: edge * period.width, height: edge * period.height };
  const [a, b, c, d] = [cell.a, cell.b, cell.c, cell.d].map((value) => edge * value);
  if (axes === "standard") return { cell: { ...cell, a, b, c, d }, period: scaled };
  return {
    cell: { ...cell, a: c, b: d, c: a, d: b },
    period: { width: scaled.height, height: scaled.width },
  };
}

/** Columns of `cell` are the cell's edges a and b. */
export function conventionalCell(group: PlaneGroup, { ratio, repeat }: Lattice) {
  const upright = (width: number, height: number) => ({ width, height });
  const edges = (ax: number, ay: number, bx: number, by: number): Affine => ({
    a: ax,
    b: bx,
    c: ay,
    d: by,
    e: 0,
    f: 0,
  });
  switch (group.lattice) {
    case "square":
      return { cell: edges(1, 0, 0, 1), period: upright(1, 1) };
    case "hexagonal": {
      const height = Math.sqrt(3) / 2;
      return { cell: edges(1, 0, -0.5, height), period: upright(1, 2 * height) };
    }
    case "rectangular":
      return { cell: edges(1, 0, 0, ratio), period: upright(1, ratio) };
    case "oblique":
      if (repeat === "half_drop") {
        return { cell: edges(1, ratio / 2, 0, ratio), period: upright(2, ratio) };
      }
      if (repeat === "brick") {
        return { cell: edges(1, 0, 0.5, ratio), period: upright(1, 2 * ratio) };
      }
      return { cell: edges(1, 0, 0, ratio), period: upright(1, ratio) };
  }
}

/** Parses a position such as `-x+1/2,x-y` into a map of fractional coordinates. */
export function parsePosition(position: string): Affine {
  const [first, second] = position.split(",").map(parseRow);
  return { a: first.x, b: first.y, c: second.x, d: second.y, e: first.t, f: second.t };
}

interface Row {
  readonly x: number;
  readonly y: number;
  readonly t: number;
}

function parseRow(text: string): Row {
  const row = { x: 0, y: 0, t: 0 };
  for (const [, sign, term] of text.matchAll(/([+-]?)(x|y|\d+\/\d+)/g)) {
    const factor = sign === "-" ? -1 : 1;
    if (term === "x" || term === "y") row[term] += factor;
    else {
      const [top, bottom] = term.split("/").map(Number);
      row.t += (factor * top) / bottom;
    }
  }
  return row;
}

/** Lagrange–Gauss reduction: the two shortest vectors of the lattice of a and b. */
export function reduce(a: Point, b: Point): [Point, Point] {
  const dot = (p: Point, q: Point) => p.x * q.x + p.y * q.y;
  let [short, long] = dot(a, a) <= dot(b, b) ? [a, b] : [b, a];
  for (;;) {
    const times = Math.round(dot(short, long) / dot(short, short));
    // A tie (half a vector) must not swap forever.
    if (times === 0 || Math.abs(dot(short, long)) <= dot(short, short) * (0.5 + 1e-12)) break;
    long = { x: long.x - times * short.x, y: long.y - times * short.y };
    if (dot(long, long) >= dot(short, short)) break;
    [short, long] = [long, short];
  }
  return [short, long];
}

/**
 * The lattice vector t for which p + t is shortest. With a reduced basis the nearest corner is
 * among the nine around the rounded one.
 */
export function shortestTranslate([a, b]: readonly [Point, Point], p: Point): Point {
  const det = a.x * b.y - a.y * b.x;
  const u = Math.round((p.x * b.y - p.y * b.x) / det);
  const v = Math.round((a.x * p.y - a.y * p.x) / det);
  let bestX = 0;
  let bestY = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = -1; i <= 1; i++) {
    for (let j = -1; j <= 1; j++) {
      const x = -(u + i) * a.x - (v + j) * b.x;
      const y = -(u + i) * a.y - (v + j) * b.y;
      const length = (p.x + x) ** 2 + (p.y + y) ** 2;
      if (length < least) {
        least = length;
        bestX = x;
        bestY = y;
      }
    }
  }
  return { x: bestX, y: bestY };
}
