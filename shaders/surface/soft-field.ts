/** Low-frequency random fields over a sheet, as nodes that kernels interpolate. */

import type { Size } from "../../engine/size.ts";
import type { Random } from "../lib/random.ts";

/** Nodes along each side; the outermost lie beside the sheet. */
const FIELD_SIDE = 36;

/** Nodes of a field, row after row. */
export const FIELD_NODES = FIELD_SIDE * FIELD_SIDE;

/** A stage of kernels: a field's value at a pixel, by quadratic B-splines, which have no creases. */
export function fieldAt(
  nodes: readonly number[],
  x: number,
  y: number,
  width: number,
  height: number,
): number {
  const u = 1 + ((FIELD_SIDE - 3) * (x + 0.5)) / width;
  const v = 1 + ((FIELD_SIDE - 3) * (y + 0.5)) / height;
  const column = Math.floor(u + 0.5);
  const row = Math.floor(v + 0.5);
  const tx = u - column;
  const ty = v - row;
  const left = 0.5 * (0.5 - tx) * (0.5 - tx);
  const right = 0.5 * (0.5 + tx) * (0.5 + tx);
  const middle = 1 - left - right;
  const upper = 0.5 * (0.5 - ty) * (0.5 - ty);
  const lower = 0.5 * (0.5 + ty) * (0.5 + ty);
  const first = (row - 1) * FIELD_SIDE + column - 1;
  const second = first + FIELD_SIDE;
  const third = second + FIELD_SIDE;
  const above = nodes[first] * left + nodes[first + 1] * middle + nodes[first + 2] * right;
  const here = nodes[second] * left + nodes[second + 1] * middle + nodes[second + 2] * right;
  const below = nodes[third] * left + nodes[third + 1] * middle + nodes[third + 2] * right;
  return above * upper + here * (1 - upper - lower) + below * lower;
}

/** The names that `fieldAt` uses, for a kernel's `literals`. */
export const fieldLiterals = { FIELD_SIDE };

/** Returns each node by its place on the sheet: −½…½ along the longer side, less along the other. */
export function nodesOf({ width, height }: Size, node: Field): number[] {
  const longer = Math.max(width, height);
  const place = (index: number, side: number) =>
    (((index - 1) / (FIELD_SIDE - 3) - 0.5) * side) / longer;
  return Array.from({ length: FIELD_SIDE * FIELD_SIDE }, (_, index) =>
    node(place(index % FIELD_SIDE, width), place(Math.floor(index / FIELD_SIDE), height)),
  );
}

/** A value at a place. */
export type Field = (x: number, y: number) => number;

/**
 * Random clouds between 0 and 1, with about `patches` of them along a side of length 1 and half as
 * strong ones of half their size.
 */
export function clouds(random: Random, patches: number): Field {
  const octaves = [1, 2, 4].map((finer) => ({
    finer,
    values: Array.from({ length: PERIOD * PERIOD }, () => random()),
    shift: random() * PERIOD,
    turn: random() * 2 * Math.PI,
  }));
  return (x, y) => {
    let sum = 0;
    for (const { finer, values, shift, turn } of octaves) {
      // Each lattice lies at an angle of its own, so that none shows.
      const across = (x * Math.cos(turn) + y * Math.sin(turn)) * patches * finer;
      const down = (y * Math.cos(turn) - x * Math.sin(turn)) * patches * finer;
      sum += smoothed(values, across + shift, down + shift) / finer;
    }
    // Sums of interpolated values keep to the middle of their range; spread them over it.
    const spread = 0.5 + (sum / 1.75 - 0.5) * 1.7;
    return Math.min(Math.max(spread, 0), 1);
  };
}

/** Values of a lattice before it repeats. */
const PERIOD = 64;

function smoothed(values: readonly number[], x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const ease = (t: number) => t * t * (3 - 2 * t);
  const [u, v] = [ease(x - column), ease(y - row)];
  const value = (i: number, j: number) =>
    values[((row + j) & (PERIOD - 1)) * PERIOD + ((column + i) & (PERIOD - 1))];
  const upper = value(0, 0) + (value(1, 0) - value(0, 0)) * u;
  const lower = value(0, 1) + (value(1, 1) - value(0, 1)) * u;
  return upper + (lower - upper) * v;
}
