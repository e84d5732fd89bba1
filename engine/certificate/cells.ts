/** The conventional cells that a lattice of translations has, for the groups to be laid on. */
import type { Point } from "../geometry/affine.ts";
import type { LatticeKind, PlaneGroup } from "../geometry/plane-groups.ts";
import { HEX_CELLS } from "../recipe.ts";
import { STRAIN } from "./tolerance.ts";
import { commonDivisor, type Size, type TorusLattice } from "./torus-lattice.ts";

/** Edges of a conventional cell, in fractions of the picture, and how far off its shape it is. */
export interface Cell {
  readonly a: Point;
  readonly b: Point;
  /** Relative difference of the two directions' scales, in pixels; 0 for the ideal shape. */
  readonly strain: number;
}

/** The engine's own tiles reach 15.5 % with 2 × 1 hexagonal cells; what is off by more is no such cell. */
export const MOST_STRAIN = 0.16;
/** A strain is known to this. */
const ROUNDING = 1e-4;

/**
 * The largest strain that a picture's cells may have: what rounding its sides to whole pixels
 * brings. Only a square that holds hexagonal cells as the engine lays them may have the strain of
 * these, turned by 90° as well.
 */
export function strainTolerance({ dual: [p, q], index }: TorusLattice, size: Size): number {
  const rounding = 0.5 / size.width + 0.5 / size.height;
  const tolerance = STRAIN + rounding;
  const cells = [commonDivisor(p.u, q.u), commonDivisor(p.v, q.v)];
  const [across = 1, down = 1] = cells.toSorted((one, other) => other - one);
  const isLaid = HEX_CELLS.some((name) => name === `${across}x${down}`);
  if (size.width !== size.height || index !== 2 * across * down || !isLaid) return tolerance;
  const ratio = (down * Math.sqrt(3)) / across;
  return Math.max(tolerance, Math.max(ratio, 1 / ratio) - 1 + ROUNDING);
}

/** Conventional cells are at most this many shortest translations wide. */
const REACH = [-2, -1, 0, 1, 2];

/**
 * The cells on which a group can be laid so that its translations are the lattice's, within a
 * strain, least strained first; none where the lattice has not the group's shape. Cells that differ by a symmetry
 * of the lattice alone are given once, but for rectangles in both orders of their edges.
 */
export function cellsOf(
  lattice: TorusLattice,
  { lattice: kind, centred }: Pick<PlaneGroup, "lattice" | "centred">,
  size: Size,
  mostStrain: number,
): Cell[] {
  const [p, q] = lattice.basis;
  if (kind === "oblique") return [{ a: p, b: q, strain: 0 }];
  const vectors = REACH.flatMap((i) => REACH.map((j) => ({ i, j })));
  const cells: Cell[] = [];
  for (const m of vectors) {
    // Of a and −a one is enough.
    if (m.i < 0 || (m.i === 0 && m.j <= 0)) continue;
    for (const n of vectors) {
      const area = m.i * n.j - m.j * n.i;
      if (Math.abs(area) !== (centred ? 2 : 1)) continue;
      if (centred && ((m.i + n.i) % 2 !== 0 || (m.j + n.j) % 2 !== 0)) continue;
      if (kind === "rectangular" && (n.i < 0 || (n.i === 0 && n.j <= 0))) continue;
      const a = { x: m.i * p.x + m.j * q.x, y: m.i * p.y + m.j * q.y };
      const b = { x: n.i * p.x + n.j * q.x, y: n.i * p.y + n.j * q.y };
      // A square cell and its mirror image are one; a turns towards b as x towards y.
      if (kind !== "rectangular" && a.x * b.y < a.y * b.x) continue;
      const strain = strainOf(a, b, kind, size);
      if (strain <= mostStrain) cells.push({ a, b, strain });
    }
  }
  // Of equally good ones that whose edge a lies level, as the groups are drawn.
  const slope = ({ a }: Cell) =>
    Math.abs(Math.atan2(a.y * size.height, Math.abs(a.x * size.width)));
  const rank = (cell: Cell) => Math.round(1e9 * cell.strain) + slope(cell) / Math.PI;
  cells.sort((one, other) => rank(one) - rank(other));
  return kind === "rectangular" ? cells : cells.slice(0, 1);
}

/** Ratio of the two principal stretches from the ideal cell to this one in pixels, less 1. */
export function strainOf(a: Point, b: Point, kind: LatticeKind, { width, height }: Size): number {
  const edge = { x: a.x * width, y: a.y * height };
  let other = { x: b.x * width, y: b.y * height };
  if (kind === "oblique") return 0;
  if (kind === "rectangular") {
    // Any ratio will do.
    const scale = Math.hypot(edge.x, edge.y) / Math.hypot(other.x, other.y);
    other = { x: other.x * scale, y: other.y * scale };
  }
  if (kind === "hexagonal") {
    // Where the ideal cell's second edge goes when its 120° are made 90°.
    const height = Math.sqrt(3) / 2;
    other = { x: (other.x + edge.x / 2) / height, y: (other.y + edge.y / 2) / height };
  }
  return stretchRatio(edge, other) - 1;
}

/** Largest divided by smallest stretch of the map whose columns are p and q. */
export function stretchRatio(p: Point, q: Point): number {
  const sum = p.x ** 2 + p.y ** 2 + q.x ** 2 + q.y ** 2;
  const area = Math.abs(p.x * q.y - p.y * q.x);
  return (Math.sqrt(sum + 2 * area) + Math.sqrt(Math.max(0, sum - 2 * area))) ** 2 / (4 * area);
}
