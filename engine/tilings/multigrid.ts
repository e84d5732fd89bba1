/**
 * Rhombs from grids of lines (N. G. de Bruijn, "Algebraic theory of Penrose's non-periodic tilings of
 * the plane", 1981, for five families; "Dualization of multigrids", 1986, for any number). Family j
 * is the lines x·e_j + γ_j = k for whole k, with unit vectors e_j at multiples of π/n. A region
 * between the lines has an index K_j = ⌈x·e_j + γ_j⌉ for each family and becomes the corner Σ K_j e_j
 * of the tiling; a crossing of two lines becomes the rhomb of the four regions about it.
 */

import type { Point } from "../geometry/affine.ts";
import type { LineGrid } from "./line-grid.ts";
import { type Crossing, lineSides } from "./line-sides.ts";
import type { Box } from "./tiling.ts";

/** A rhomb of the tiling, with edges e_r and e_s, r < s. */
export interface GridRhomb {
  readonly centre: Point;
  readonly r: number;
  readonly s: number;
  /** The sum of all indices at the corner from which e_r and e_s lead to its neighbours. */
  readonly indexSum: number;
}

/** Distance to a line, in steps of the grid, within which exact arithmetic decides the side. */
const CLOSE = 1e-7;

/**
 * Returns a function that visits the rhombs that meet a box, each once, and some near it. The corners
 * of a crossing x are at (m/2)·x + Σ (γ_j + λ_j) e_j with 0 ≤ λ_j ≤ 1: only crossings in a box of
 * the grid matter.
 */
export function rhombsNear(grid: LineGrid): (box: Box, visit: (rhomb: GridRhomb) => void) => void {
  const { offsets } = grid;
  const units = grid.directions.map((turn) => {
    const angle = (Math.PI * turn) / grid.n;
    return { x: Math.cos(angle), y: Math.sin(angle) };
  });
  const toGridBox = gridBoxes(units, offsets);
  const rhombAt = rhombMaker(grid, units);
  return (box, visit) => {
    const gridBox = toGridBox(box);
    for (let s = 1; s < units.length; s++) {
      for (let r = 0; r < s; r++) {
        const families = { e: units[r], f: units[s], rOffset: offsets[r], sOffset: offsets[s] };
        traverseCrossings(families, gridBox, (x, y, rLine, sLine) =>
          visit(rhombAt(x, y, { r, s, rLine, sLine })),
        );
      }
    }
  };
}

/** Returns the box of the grid with every crossing whose rhomb meets a box of the tiling. */
function gridBoxes(units: readonly Point[], offsets: readonly number[]): (box: Box) => Box {
  const scale = 2 / units.length;
  let x = 0;
  let y = 0;
  let reachX = CLOSE;
  let reachY = CLOSE;
  units.forEach((e, j) => {
    x += (offsets[j] + 0.5) * e.x;
    y += (offsets[j] + 0.5) * e.y;
    reachX += Math.abs(e.x) / 2;
    reachY += Math.abs(e.y) / 2;
  });
  return ({ left, top, right, bottom }) => ({
    left: scale * (left - x - reachX),
    top: scale * (top - y - reachY),
    right: scale * (right - x + reachX),
    bottom: scale * (bottom - y + reachY),
  });
}

interface Families {
  readonly e: Point;
  readonly f: Point;
  readonly rOffset: number;
  readonly sOffset: number;
}

/** Visits the crossings of two families inside a box of the grid; those on its edge are optional. */
function traverseCrossings(
  { e, f, rOffset, sOffset }: Families,
  { left, top, right, bottom }: Box,
  visit: (x: number, y: number, rLine: number, sLine: number) => void,
): void {
  const cos = e.x * f.x + e.y * f.y;
  const sin = e.x * f.y - e.y * f.x;
  const [least, most] = between(left * e.x, right * e.x, top * e.y, bottom * e.y);
  for (let rLine = Math.ceil(least + rOffset); rLine <= most + rOffset; rLine++) {
    // The line's points are c·e + t·(−e.y, e.x); those in the box have `from` ≤ t ≤ `to`.
    const c = rLine - rOffset;
    const [fromX, toX] = stretch(c * e.x, -e.y, left, right);
    const [fromY, toY] = stretch(c * e.y, e.x, top, bottom);
    const from = Math.max(fromX, fromY);
    const to = Math.min(toX, toY);
    if (from > to) continue;
    const ends = [c * cos + from * sin + sOffset, c * cos + to * sin + sOffset] as const;
    const last = Math.max(...ends);
    for (let sLine = Math.ceil(Math.min(...ends)); sLine <= last; sLine++) {
      const t = (sLine - sOffset - c * cos) / sin;
      visit(c * e.x - t * e.y, c * e.y + t * e.x, rLine, sLine);
    }
  }
}

/** Returns the range of sums of one of the first two numbers and one of the last two. */
const between = (a: number, b: number, c: number, d: number) =>
  [Math.min(a, b) + Math.min(c, d), Math.max(a, b) + Math.max(c, d)] as const;

/** Returns the range of t for which start + t·step is between low and high. */
function stretch(start: number, step: number, low: number, high: number): [number, number] {
  if (Math.abs(step) < CLOSE) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const a = (low - start) / step;
  const b = (high - start) / step;
  return a < b ? [a, b] : [b, a];
}

/** Returns a function that constructs the rhomb of a crossing at (x, y) of the grid. */
function rhombMaker(grid: LineGrid, units: readonly Point[]) {
  const { offsets } = grid;
  const isPast = lineSides(grid);
  const indexAt = (x: number, y: number, j: number, crossing: Crossing) => {
    const e = units[j];
    const value = x * e.x + y * e.y + offsets[j];
    const line = Math.round(value);
    if (Math.abs(value - line) > CLOSE) return Math.ceil(value);
    return isPast(crossing, j, line) ? line + 1 : line;
  };
  return (x: number, y: number, crossing: Crossing): GridRhomb => {
    const { r, s, rLine, sLine } = crossing;
    let indexSum = rLine + sLine;
    let centreX = 0;
    let centreY = 0;
    for (let j = 0; j < units.length; j++) {
      const e = units[j];
      let index = j === r ? rLine + 0.5 : sLine + 0.5;
      if (j !== r && j !== s) {
        index = indexAt(x, y, j, crossing);
        indexSum += index;
      }
      centreX += index * e.x;
      centreY += index * e.y;
    }
    return { centre: { x: centreX, y: centreY }, r, s, indexSum };
  };
}
