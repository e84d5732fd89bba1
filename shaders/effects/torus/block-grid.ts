/** The blocks of a lattice on a torus, and the position of pixels in them. */
import type { Torus } from "../effect.ts";
import { pixelSize } from "./bands.ts";
import type { Basis } from "./block-lattice.ts";

/** A row of pixels, each within the parallelogram of four neighbouring blocks' middles. */
export interface BlockRow {
  /**
   * The blocks 0, a, b and a + b of pixel x: their numbers are `number[at[x] + corner[k]]`,
   * k = 0…3.
   */
  readonly at: Int32Array;
  /** The pixel's position in the parallelogram: p = u·a + v·b, 0…1. */
  readonly u: Float64Array;
  readonly v: Float64Array;
}

export interface BlockGrid {
  readonly basis: Basis;
  /** Number of blocks. */
  readonly count: number;
  readonly number: Int32Array;
  readonly corner: readonly [number, number, number, number];
  /** Side of a square as large as a pixel, in edges of the cell. */
  readonly pixel: number;
  /** Fills the row with pixels of row y of the torus. */
  locate(y: number): void;
  readonly row: BlockRow;
}

/** Returns the grid of a lattice that contains the torus's own, with a point at the plane's origin. */
export function blockGrid(torus: Pick<Torus, "width" | "height" | "toPlane">, basis: Basis) {
  const { width, height, toPlane: plane } = torus;
  const [a, b] = basis;
  const area = a.x * b.y - a.y * b.x;
  // From pixels to multiples of a and b.
  const steps = {
    ux: (plane.a * b.y - plane.c * b.x) / area,
    uy: (plane.b * b.y - plane.d * b.x) / area,
    u: (plane.e * b.y - plane.f * b.x) / area,
    vx: (a.x * plane.c - a.y * plane.a) / area,
    vy: (a.x * plane.d - a.y * plane.b) / area,
    v: (a.x * plane.f - a.y * plane.e) / area,
  };
  const lowest = (x: number, y: number, start: number) =>
    Math.floor(start + Math.min(x * width, 0) + Math.min(y * height, 0)) - 1;
  const highest = (x: number, y: number, start: number) =>
    Math.floor(start + Math.max(x * width, 0) + Math.max(y * height, 0)) + 2;
  const left = lowest(steps.ux, steps.uy, steps.u);
  const top = lowest(steps.vx, steps.vy, steps.v);
  const columns = highest(steps.ux, steps.uy, steps.u) - left + 1;
  const rows = highest(steps.vx, steps.vy, steps.v) - top + 1;

  const { count, numberOf } = classes(
    [Math.round(steps.ux * width), Math.round(steps.vx * width)],
    [Math.round(steps.uy * height), Math.round(steps.vy * height)],
  );
  const number = new Int32Array(columns * rows);
  for (let j = 0, at = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++, at++) number[at] = numberOf(left + i, top + j);
  }

  const row = {
    at: new Int32Array(width),
    u: new Float64Array(width),
    v: new Float64Array(width),
  };
  const locate = (y: number) => {
    const startU = steps.u + steps.uy * (y + 0.5) - left;
    const startV = steps.v + steps.vy * (y + 0.5) - top;
    for (let x = 0; x < width; x++) {
      const u = startU + steps.ux * (x + 0.5);
      const v = startV + steps.vx * (x + 0.5);
      const i = Math.floor(u);
      const j = Math.floor(v);
      row.at[x] = j * columns + i;
      row.u[x] = u - i;
      row.v[x] = v - j;
    }
  };
  const size = pixelSize(torus);
  return {
    basis,
    count,
    number,
    corner: [0, 1, columns, columns + 1],
    pixel: Math.sqrt(size.x * size.y),
    locate,
    row,
  } satisfies BlockGrid;
}

type Pair = readonly [number, number];

/**
 * Numbers the classes of pairs (i, j) modulo two vectors, from the vectors' Hermite normal form
 * (size, 0), (shift, rows).
 */
function classes(one: Pair, other: Pair) {
  let [p, q] = [one, other];
  while (q[1] !== 0) {
    const times = Math.floor(p[1] / q[1]);
    [p, q] = [q, [p[0] - times * q[0], p[1] - times * q[1]]];
  }
  const rows = Math.abs(p[1]);
  const shift = Math.sign(p[1]) * p[0];
  const size = Math.abs(q[0]);
  const numberOf = (i: number, j: number) => {
    const turns = Math.floor(j / rows);
    const column = i - turns * shift;
    return (j - turns * rows) * size + (column - Math.floor(column / size) * size);
  };
  return { count: size * rows, numberOf };
}
