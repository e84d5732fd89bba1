/**
 * A cloth solver: position-based dynamics (Müller et al. 2007) with the small steps of Macklin et
 * al. 2019, so that one sweep a step is enough. It uses only sums, products, quotients and square
 * roots, which every machine rounds alike, so the folds are the same everywhere.
 */
import type { Sheet } from "./sheet.ts";

/** Share of an error that one sweep corrects, 0…1. */
export interface Fabric {
  /** Along the threads: near 1 for all that is woven. */
  readonly stretch: number;
  /** Across them: cloth stretches on the bias. */
  readonly shear: number;
  /** Against bending: 0 is silk, 0.5 canvas. */
  readonly bend: number;
}

export interface Forces {
  /** Millimetres a step adds to a free node's motion: right, down and towards the viewer. */
  readonly pull: readonly [x: number, y: number, z: number];
  /** Outward pressure along the normal, decreasing up to `height` mm. */
  readonly filling?: { readonly push: number; readonly height: number };
  /** Damping: share of its motion that a node keeps in the next step. */
  readonly inertia: number;
}

/** Restores constraints, such as pins and bodies, after every step. */
export type Constraint = (sheet: Sheet) => void;

/** Moves `sheet` by `steps` steps under `forces` and the constraint `constrain`. */
export function relax(
  sheet: Sheet,
  steps: number,
  fabric: Fabric,
  forces: Forces,
  constrain: Constraint,
): void {
  const { x, y, z } = sheet;
  const before = { x: x.slice(), y: y.slice(), z: z.slice() };
  for (let step = 0; step < steps; step++) {
    drift(x, before.x, forces.pull[0], forces.inertia);
    drift(y, before.y, forces.pull[1], forces.inertia);
    drift(z, before.z, forces.pull[2], forces.inertia);
    if (forces.filling) swell(sheet, forces.filling);
    sweep(sheet, fabric, step % 2 === 0);
    constrain(sheet);
  }
}

/** Verlet's step: a node keeps its velocity and falls. */
function drift(place: Float64Array, before: Float64Array, pull: number, inertia: number): void {
  for (let node = 0; node < place.length; node++) {
    const here = place[node];
    place[node] = here + (here - before[node]) * inertia + pull;
    before[node] = here;
  }
}

/** Pushes inner nodes along the normal, `push` mm where the cloth is not stretched. */
function swell(
  { columns, rows, across, down, x, y, z }: Sheet,
  { push, height }: NonNullable<Forces["filling"]>,
): void {
  for (let j = 1; j < rows - 1; j++) {
    for (let node = j * columns + 1; node < (j + 1) * columns - 1; node++) {
      const [l, r, a, b] = [node - 1, node + 1, node - columns, node + columns];
      const [ex, ey, ez] = [x[r] - x[l], y[r] - y[l], z[r] - z[l]];
      const [fx, fy, fz] = [x[b] - x[a], y[b] - y[a], z[b] - z[a]];
      const scale = (push * Math.max(0, 1 - z[node] / height)) / (4 * across * down);
      x[node] += (ey * fz - ez * fy) * scale;
      y[node] += (ez * fx - ex * fz) * scale;
      z[node] += (ex * fy - ey * fx) * scale;
    }
  }
}

/** One Gauss–Seidel pass over all threads, from the top or, if `forth` is false, from the bottom. */
function sweep(sheet: Sheet, fabric: Fabric, forth: boolean): void {
  const { columns, rows, across, down } = sheet;
  const diagonal = Math.sqrt(across * across + down * down);
  for (let row = 0; row < rows; row++) {
    const j = forth ? row : rows - 1 - row;
    for (let column = 0; column < columns; column++) {
      const i = forth ? column : columns - 1 - column;
      const node = j * columns + i;
      if (i + 1 < columns) tie(sheet, node, node + 1, across, fabric.stretch);
      if (j + 1 < rows) {
        tie(sheet, node, node + columns, down, fabric.stretch);
        if (i + 1 < columns) tie(sheet, node, node + columns + 1, diagonal, fabric.shear);
        if (i > 0) tie(sheet, node, node + columns - 1, diagonal, fabric.shear);
      }
      if (i + 2 < columns) tie(sheet, node, node + 2, 2 * across, fabric.bend);
      if (j + 2 < rows) tie(sheet, node, node + 2 * columns, 2 * down, fabric.bend);
    }
  }
}

/** Moves nodes `a` and `b` towards the distance `rest` by the share `stiffness` of the error. */
function tie(sheet: Sheet, a: number, b: number, rest: number, stiffness: number): void {
  const { x, y, z } = sheet;
  const dx = x[b] - x[a];
  const dy = y[b] - y[a];
  const dz = z[b] - z[a];
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz) + 1e-9;
  const share = (0.5 * stiffness * (length - rest)) / length;
  x[a] += dx * share;
  y[a] += dy * share;
  z[a] += dz * share;
  x[b] -= dx * share;
  y[b] -= dy * share;
  z[b] -= dz * share;
}
