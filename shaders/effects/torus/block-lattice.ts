/**
 * Lattices that divide a pattern into equal blocks, such that every operation of the pattern's
 * group maps blocks onto blocks. A block is the Dirichlet cell of a point: all that is nearer to it
 * than to the lattice's other points; the group's origin is one of them.
 *
 * The linear parts of the operations are symmetries of the pattern's lattice L, and in the
 * International Tables' settings their translations are halves of the conventional cell's edges A
 * and B at most. So a lattice serves when it has the mirrors of L (and the quarter turns, where A
 * and B are equally long) and contains L, A/2 and B/2. Two kinds do, with n and m even:
 * - upright: the corners of the rectangles A/n × B/m;
 * - centred: their corners and middles.
 * Groups on the hexagonal lattice, where B = √3·A, have no halves: there the centred kind serves
 * with any n = m, and its blocks are regular hexagons.
 */
import type { Vector } from "../effect.ts";

/** Two vectors at no more than 90°, neither of which a multiple of the other makes shorter. */
export type Basis = readonly [Vector, Vector];

/** Perpendicular translations, the shortest along the lattice's mirrors. */
interface Axes {
  readonly across: Vector;
  readonly down: Vector;
  /** Whether their middle is a translation as well. */
  readonly centred: boolean;
}

const TINY = 1e-9;

/**
 * Returns a lattice of nearly square blocks if the lattice is rectangular, and nearly regular hexagons
 * if it is centred, with a distance of about one edge of the cell divided by `count`.
 */
export function tiledLattice(lattice: Basis, count: number): Basis {
  const axes = axesOf(lattice);
  return axes.centred ? honeycomb(axes, count) : upright(axes, count);
}

/**
 * Returns a printing screen: rows at 45° if the lattice is rectangular, a honeycomb if it is
 * centred, with the same distance.
 */
export function screenLattice(lattice: Basis, count: number): Basis {
  const axes = axesOf(lattice);
  return axes.centred ? honeycomb(axes, count) : diagonal(axes, count);
}

function upright({ across, down }: Axes, count: number): Basis {
  const n = multiple(2, length(across) * count);
  const m = equal(length(across), length(down)) ? n : multiple(2, length(down) * count);
  return reduced(scaled(across, 1 / n), scaled(down, 1 / m));
}

function diagonal({ across, down }: Axes, count: number): Basis {
  const n = multiple(2, length(across) * count * Math.SQRT1_2);
  const m = equal(length(across), length(down))
    ? n
    : multiple(2, length(down) * count * Math.SQRT1_2);
  return centredBasis(scaled(across, 1 / n), scaled(down, 1 / m));
}

function honeycomb({ across, down }: Axes, count: number): Basis {
  const width = length(across) * count;
  const height = length(down) * count;
  const root = Math.sqrt(3);
  if (equal(height, width * root)) {
    const n = multiple(1, width);
    return centredBasis(scaled(across, 1 / n), scaled(down, 1 / n));
  }
  // Hexagons that stand on a corner, or those that lie on a side.
  const choices = [
    [multiple(2, width), multiple(2, height / root)],
    [multiple(2, width / root), multiple(2, height)],
  ].map(([n, m]) => {
    const ratio = height / m / (width / n);
    return { n, m, off: Math.abs(Math.log(Math.max(ratio, 1 / ratio) / root)) };
  });
  const { n, m } = choices[0].off <= choices[1].off ? choices[0] : choices[1];
  return centredBasis(scaled(across, 1 / n), scaled(down, 1 / m));
}

function axesOf([a, b]: Basis): Axes {
  const product = dot(a, b);
  if (Math.abs(product) < TINY) return { across: a, down: b, centred: false };
  // A rhombus has its diagonals for axes; else b's end lies above the middle of a.
  const rhombic = equal(length(a), length(b));
  const one = rhombic ? sum(a, b, 1) : a;
  const other = rhombic ? sum(a, b, -1) : sum(sum(b, b, 1), a, -Math.sign(product));
  return length(one) <= length(other)
    ? { across: one, down: other, centred: true }
    : { across: other, down: one, centred: true };
}

const centredBasis = (across: Vector, down: Vector): Basis =>
  reduced(scaled(sum(across, down, 1), 0.5), scaled(sum(across, down, -1), 0.5));

/** Lagrange–Gauss reduction; then at no more than 90°. */
function reduced(a: Vector, b: Vector): Basis {
  let [short, long] = length(a) <= length(b) ? [a, b] : [b, a];
  for (;;) {
    const times = Math.round(dot(short, long) / dot(short, short) - TINY);
    long = sum(long, short, -times);
    if (length(long) >= length(short) - TINY) break;
    [short, long] = [long, short];
  }
  return [short, dot(short, long) < 0 ? scaled(long, -1) : long];
}

/** The multiple of `step` nearest to a positive number; at least one step. */
const multiple = (step: number, value: number) =>
  step * Math.max(1, Math.round(value / step + TINY));
const equal = (one: number, other: number) => Math.abs(one - other) < TINY * one;
const length = ({ x, y }: Vector) => Math.hypot(x, y);
const dot = (a: Vector, b: Vector) => a.x * b.x + a.y * b.y;
const scaled = ({ x, y }: Vector, factor: number): Vector => ({ x: x * factor, y: y * factor });
const sum = (a: Vector, b: Vector, times: number): Vector => ({
  x: a.x + times * b.x,
  y: a.y + times * b.y,
});
