/**
 * Lattices of a picture that wraps, and the conventional cells that they have. Points are fractions
 * of the picture's width and height, so that the picture's own periods are whole numbers and every
 * lattice that contains them has a dual lattice of whole frequencies: neither pixel grid nor strain
 * makes it inexact.
 */
import type { Point } from "../geometry/affine.ts";
import { isometriesOfDesign } from "../geometry/counterchange.ts";
import { isometriesOf, reduce } from "../geometry/isometries.ts";
import type { PlaneGroup } from "../geometry/plane-groups.ts";
import { squareTile } from "../geometry/repeating-tile.ts";
import { HEX_CELLS, type LatticeKind } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import type { Claim, LatticeDescription } from "./certificate.ts";
import type { Frequency } from "./spectrum.ts";
import { MAX_STRAIN } from "./tolerance.ts";

export interface TorusLattice {
  /** Two shortest translations, in fractions of the picture. */
  readonly basis: readonly [Point, Point];
  /** The frequencies dual to them: dual[i] · basis[j] is 1 for i = j, else 0. */
  readonly dual: readonly [Frequency, Frequency];
  /** Primitive cells in the picture. */
  readonly index: number;
}

/** Returns the lattice of the translations that preserve the waves of two frequencies. */
export function latticeWithDual(p: Frequency, q: Frequency, size: Size): TorusLattice {
  const det = p.u * q.v - p.v * q.u;
  const inPixels = (x: number, y: number) => ({ x: x * size.width, y: y * size.height });
  const [a, b] = reduce(inPixels(q.v / det, -q.u / det), inPixels(-p.v / det, p.u / det)).map(
    ({ x, y }) => ({ x: x / size.width, y: y / size.height }),
  );
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

/** Returns the lattice of the picture's own periods. */
export const integerLattice = (size: Size) => latticeWithDual({ u: 1, v: 0 }, { u: 0, v: 1 }, size);

/** Returns the sublattices of index up to `most` that contain the picture's periods, itself first. */
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
 * Returns the lowest frequencies of the dual lattice, one of k and −k, about `most` of them, up to
 * `finest` waves a pixel; and the radius that they fill, in waves a pixel.
 */
export function frequenciesOf(
  { basis, dual: [p, q], index }: TorusLattice,
  { width, height }: Size,
  { most, finest }: { readonly most: number; readonly finest: number },
): { readonly frequencies: Frequency[]; readonly radius: number } {
  const radius = Math.min(finest, Math.sqrt((2 * most * index) / (Math.PI * width * height)));
  const [rows, columns] = basis.map(({ x, y }) =>
    Math.floor(radius * Math.hypot(x * width, y * height)),
  );
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

/** Returns the greatest common divisor of two integers, which may be 0 or negative. */
function commonDivisor(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : commonDivisor(b, a % b);
}

/** A conventional cell by its edges, in fractions of the picture. */
export interface ConventionalCell {
  readonly a: Point;
  readonly b: Point;
  /** Relative difference of the two directions' scales, in pixels; 0 for the ideal shape. */
  readonly strain: number;
}

/** Largest strain of a cell at all. The engine's own tiles reach 15.5 % with 2 × 1 hexagonal cells. */
export const MAX_TILE_STRAIN = 0.16;
/** Precision of a strain. */
const STRAIN_PRECISION = 1e-4;

/**
 * Returns the largest strain that a picture's cells may have, which allows for sides rounded to whole
 * pixels. A square with hexagonal cells like a tile of this engine, also turned by 90°, may have the
 * strain of that tile.
 */
export function strainTolerance({ dual: [p, q], index }: TorusLattice, size: Size): number {
  const rounding = 0.5 / size.width + 0.5 / size.height;
  const tolerance = MAX_STRAIN + rounding;
  const cells = [commonDivisor(p.u, q.u), commonDivisor(p.v, q.v)];
  const [across = 1, down = 1] = cells.toSorted((one, other) => other - one);
  const isEngineTile = HEX_CELLS.some((name) => name === `${across}x${down}`);
  if (size.width !== size.height || index !== 2 * across * down || !isEngineTile) return tolerance;
  const ratio = (down * Math.sqrt(3)) / across;
  return Math.max(tolerance, Math.max(ratio, 1 / ratio) - 1 + STRAIN_PRECISION);
}

/** Multiples of the shortest translations to try as edges of conventional cells. */
const CELL_MULTIPLES = [-2, -1, 0, 1, 2];

/**
 * Returns the conventional cells for which a group has the translations of the lattice, up to a
 * strain, least strained first; none if the lattice does not have the group's shape. Of cells that
 * differ only by a symmetry of the lattice it returns one, but rectangles in both orders of edges.
 */
export function conventionalCells(
  lattice: TorusLattice,
  { lattice: kind, centred }: Pick<PlaneGroup, "lattice" | "centred">,
  size: Size,
  mostStrain: number,
): ConventionalCell[] {
  const [p, q] = lattice.basis;
  if (kind === "oblique") return [{ a: p, b: q, strain: 0 }];
  const vectors = CELL_MULTIPLES.flatMap((i) => CELL_MULTIPLES.map((j) => ({ i, j })));
  const cells: ConventionalCell[] = [];
  for (const m of vectors) {
    // Only one of a and −a.
    if (m.i < 0 || (m.i === 0 && m.j <= 0)) continue;
    for (const n of vectors) {
      const area = m.i * n.j - m.j * n.i;
      if (Math.abs(area) !== (centred ? 2 : 1)) continue;
      if (centred && ((m.i + n.i) % 2 !== 0 || (m.j + n.j) % 2 !== 0)) continue;
      if (kind === "rectangular" && (n.i < 0 || (n.i === 0 && n.j <= 0))) continue;
      const a = { x: m.i * p.x + m.j * q.x, y: m.i * p.y + m.j * q.y };
      const b = { x: n.i * p.x + n.j * q.x, y: n.i * p.y + n.j * q.y };
      // Only one of a cell and its mirror image: a turns towards b as x towards y.
      if (kind !== "rectangular" && a.x * b.y < a.y * b.x) continue;
      const strain = strainOf(a, b, kind, size);
      if (strain <= mostStrain) cells.push({ a, b, strain });
    }
  }
  // Among equal strains, the cell with the most nearly horizontal edge a comes first.
  const slope = ({ a }: ConventionalCell) =>
    Math.abs(Math.atan2(a.y * size.height, Math.abs(a.x * size.width)));
  const rank = (cell: ConventionalCell) => Math.round(1e9 * cell.strain) + slope(cell) / Math.PI;
  cells.sort((one, other) => rank(one) - rank(other));
  return kind === "rectangular" ? cells : cells.slice(0, 1);
}

/** Returns the area of a primitive cell, in pixels. */
export function cellPixels(
  { a, b }: ConventionalCell,
  centred: boolean,
  { width, height }: Size,
): number {
  return (Math.abs(a.x * b.y - a.y * b.x) * width * height) / (centred ? 2 : 1);
}

/** Returns the ratio of the principal stretches from the ideal cell to this one in pixels, less 1. */
function strainOf(a: Point, b: Point, kind: LatticeKind, { width, height }: Size): number {
  const edge = { x: a.x * width, y: a.y * height };
  let other = { x: b.x * width, y: b.y * height };
  if (kind === "oblique") return 0;
  if (kind === "rectangular") {
    // A rectangular cell may have any ratio.
    const scale = Math.hypot(edge.x, edge.y) / Math.hypot(other.x, other.y);
    other = { x: other.x * scale, y: other.y * scale };
  }
  if (kind === "hexagonal") {
    // Maps the ideal cell's angle of 120° to 90°.
    const height = Math.sqrt(3) / 2;
    other = { x: (other.x + edge.x / 2) / height, y: (other.y + edge.y / 2) / height };
  }
  return stretchRatio(edge, other) - 1;
}

/** Returns the ratio of the singular values of the matrix with columns p and q. */
export function stretchRatio(p: Point, q: Point): number {
  const sum = p.x ** 2 + p.y ** 2 + q.x ** 2 + q.y ** 2;
  const area = Math.abs(p.x * q.y - p.y * q.x);
  return (Math.sqrt(sum + 2 * area) + Math.sqrt(Math.max(0, sum - 2 * area))) ** 2 / (4 * area);
}

/** The cell of a claim. */
export interface ClaimedCell {
  readonly cell: ConventionalCell;
  /** Primitive cells in the picture. */
  readonly index: number;
}

/**
 * Returns the conventional cell of a claim: of a square picture, with as many periods as a square tile
 * of this engine has; of any other, with a single period.
 */
export function claimedCell(
  { group: name, lattice, hexCells, rendered }: Claim,
  size: Size,
): ClaimedCell {
  const isometries = rendered ? isometriesOfDesign(rendered) : isometriesOf(name, lattice);
  const { group, period, basis } = isometries;
  const { region } =
    size.width === size.height
      ? squareTile(isometries, size.width, hexCells).tile
      : { region: period };
  const fraction = (x: number, y: number) => ({ x: x / region.width, y: y / region.height });
  const [a, b]: readonly [Point, Point] =
    group.lattice === "hexagonal"
      ? [fraction(1, 0), fraction(-0.5, Math.sqrt(3) / 2)]
      : nonHexagonalEdges(group.lattice === "oblique", basis, period, fraction);
  const area = Math.abs(basis[0].x * basis[1].y - basis[0].y * basis[1].x);
  return {
    cell: { a, b, strain: strainOf(a, b, group.lattice, size) },
    index: Math.round((region.width * region.height) / area),
  };
}

function nonHexagonalEdges(
  oblique: boolean,
  [a, b]: readonly [Point, Point],
  period: Size,
  fraction: (x: number, y: number) => Point,
): [Point, Point] {
  if (oblique) return [fraction(a.x, a.y), fraction(b.x, b.y)];
  return [fraction(period.width, 0), fraction(0, period.height)];
}

/** Lattice shapes, the most symmetric first. */
const SHAPES: readonly { readonly lattice: LatticeKind; readonly centred: boolean }[] = [
  { lattice: "hexagonal", centred: false },
  { lattice: "square", centred: false },
  { lattice: "rectangular", centred: false },
  { lattice: "rectangular", centred: true },
];

/** Describes a lattice for the certificate, by the shape that its group needs or a more symmetric one. */
export function describeLattice(
  {
    lattice,
    size,
    strainTolerance,
  }: {
    readonly lattice: TorusLattice;
    readonly size: Size;
    readonly strainTolerance: number;
  },
  { group, cell }: { readonly group: PlaneGroup; readonly cell: ConventionalCell },
): LatticeDescription {
  const [p, q] = lattice.dual;
  const [a, b] = lattice.basis.map(({ x, y }) => ({ x: x * size.width, y: y * size.height }));
  const shape = SHAPES.map((wanted) => ({
    wanted,
    nearest: conventionalCells(lattice, wanted, size, strainTolerance)[0],
  })).find(
    ({ wanted, nearest }) =>
      nearest !== undefined &&
      (nearest.strain <= MAX_STRAIN ||
        (wanted.lattice === group.lattice && wanted.centred === group.centred)),
  );
  return {
    kind: shape?.wanted.lattice ?? "oblique",
    centred: shape?.wanted.centred ?? false,
    across: commonDivisor(p.u, q.u),
    down: commonDivisor(p.v, q.v),
    cells: lattice.index,
    a,
    b,
    strain: shape?.nearest?.strain ?? cell.strain,
  };
}
