/** Dots as the tables that the kernel reads. */
import type { Linear } from "../../lib/colour.ts";
import { listsOf } from "../../lib/grid-lists.ts";
import { layout, numbersOf, type RecordOf, RGB, XY } from "../../lib/layout.ts";
import { type Random, whole } from "../../lib/random.ts";
import { distance, type Spot } from "../../lib/torus.ts";

/** A disc of paint or paper; lengths in edges of the picture, y down. */
export interface Dot extends Spot {
  readonly colour: Linear;
  /** The colour on the far side of its axis, and how suddenly it comes: 0.5 runs over, 99 is cut. */
  readonly to?: Linear;
  readonly split?: number;
  /** The axis of the split and of the brush, in radians. */
  readonly angle?: number;
  /** How far above the ground it lies: as far its shadow is thrown. */
  readonly lift?: number;
  readonly opacity?: number;
}

/** Properties of paint of all dots of a picture; strengths 0…1. */
export interface Paint {
  /** How far a rim strays from a circle, in radii. */
  readonly wobble: number;
  /** How bare dry streaks leave the ground, and where they begin (lower is drier). */
  readonly bare: number;
  readonly dryAt: number;
  readonly streaks: number;
  /** Darker rims, as of watercolour. */
  readonly pooling: number;
  readonly shadow: number;
  readonly ground: Linear;
  /** How much two colours run into each other. */
  readonly bleeding: number;
  /** Light from one side. */
  readonly dome: number;
  /** Tooth of the ground. */
  readonly tooth: number;
}

/** A dot as the kernel reads it. */
export const DOT = layout({
  x: 1,
  y: 1,
  radius: 1,
  colour: RGB,
  to: RGB,
  axis: XY,
  split: 1,
  offset: 1,
  lift: 1,
  opacity: 1,
});
export type DotRecord = RecordOf<typeof DOT>;

/** Paint as the kernel reads it. */
export const PAINT = layout({
  wobble: 1,
  bare: 1,
  dryAt: 1,
  streaks: 1,
  pooling: 1,
  shadow: 1,
  ground: RGB,
  bleeding: 1,
  dome: 1,
  tooth: 1,
});
export type PaintRecord = RecordOf<typeof PAINT>;

/** Paint as numbers. */
export function paintTable(paint: Paint): Float32Array {
  return Float32Array.from(numbersOf(paint, PAINT));
}

/** Cells along an edge of the grid of dots near each pixel. */
export const GRID = 32;

/** Pixels of the smallest pictures reach a little beyond a rim. */
const MARGIN = 0.01;

/**
 * Dots given from the lowest up. `dots`: records; `list`: offsets into `dots`, lowest
 * first, cell after cell of the grid; `starts`: where each of 32² cells begins in it.
 */
export function dotTables(
  random: Random,
  dots: readonly Dot[],
  wobble: number,
): { readonly dots: Float32Array; readonly list: Float32Array; readonly starts: Float32Array } {
  const cells: number[][] = Array.from({ length: GRID * GRID }, () => []);
  dots.forEach((dot, index) => {
    const reach = dot.radius * (1 + wobble) + 4 * (dot.lift ?? 0) + MARGIN;
    for (const cell of cellsAround(dot, reach)) cells[cell].push(index * DOT.size);
  });
  const numbers = dots.flatMap((dot) => {
    const { angle = 0 } = dot;
    const axis = [Math.cos(angle), Math.sin(angle)];
    const offset = whole(random, 0, 4000);
    const given = { to: dot.colour, split: 0, lift: 0, opacity: 1, ...dot, axis, offset };
    return numbersOf(given, DOT);
  });
  return { dots: Float32Array.from(numbers), ...listsOf(cells) };
}

/** Cells of the grid that lie within `reach` of a dot's middle, or nearly. */
function cellsAround(dot: Dot, reach: number): Set<number> {
  const range = (middle: number) => [
    Math.floor((middle - reach) * GRID),
    Math.floor((middle + reach) * GRID),
  ];
  const [left, right] = range(dot.x);
  const [top, bottom] = range(dot.y);
  const wrap = (index: number) => ((index % GRID) + GRID) % GRID;
  const found = new Set<number>();
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const middle = distance((x + 0.5) / GRID, (y + 0.5) / GRID, dot);
      if (middle < reach + Math.SQRT1_2 / GRID) found.add(wrap(y) * GRID + wrap(x));
    }
  }
  return found;
}
