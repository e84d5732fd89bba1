/** Petals as the tables that the kernel reads. */
import { listsOf } from "../../lib/grid-lists.ts";
import { layout, numbersOf, type RecordOf, RGB } from "../../lib/layout.ts";
import type { Petal } from "./petal.ts";

/** A petal as the kernel reads it. */
export const PETAL = layout({
  x: 1,
  y: 1,
  axisX: 1,
  axisY: 1,
  length: 1,
  halfWidth: 1,
  bend: 1,
  tip: 1,
  base: 1,
  belly: 1,
  notch: 1,
  from: RGB,
  to: RGB,
  blendFrom: 1,
  blendRate: 1,
  veins: 1,
  ribs: 1,
  lines: 1,
  rim: 1,
  shade: 1,
  soft: 1,
  opacity: 1,
});
export type PetalRecord = RecordOf<typeof PETAL>;

/** Cells along an edge of the grid of petals near each pixel. */
export const GRID = 48;

/**
 * Width of a petal at `s` (0 base … 1 tip) before it is scaled to `halfWidth`. The kernel
 * computes the same.
 */
function outline(s: number, base: number, tip: number, belly: number): number {
  const foot = Math.sqrt(s) * (1 - base) + s * base;
  const head = Math.sqrt(1 - s) * (1 - tip) + (1 - s) * tip;
  return foot * head * (1 + belly * (s - 0.5));
}

const STEPS = Array.from({ length: 21 }, (_, step) => step / 20);

/**
 * Petals given in painting order. `shapes`: records; `list`: offsets into `shapes`,
 * uppermost first, cell after cell of the grid; `starts`: where each of 48² cells begins in it.
 */
export function petalTables(petals: readonly Petal[]): {
  readonly shapes: Float32Array;
  readonly list: Float32Array;
  readonly starts: Float32Array;
} {
  const cells: number[][] = Array.from({ length: GRID * GRID }, () => []);
  petals.forEach((petal, index) => {
    for (const cell of cellsUnder(petal)) cells[cell].push(index * PETAL.size);
  });
  const shapes = Float32Array.from(petals.flatMap((petal) => numbersOf(shapeOf(petal), PETAL)));
  return { shapes, ...listsOf(cells.map((cell) => cell.reverse())) };
}

function shapeOf(petal: Petal) {
  const { base = 0, tip = 0, belly = 0, blend = [0, 1] } = petal;
  const widest = Math.max(...STEPS.map((s) => outline(s, base, tip, belly)));
  const axisX = Math.cos(petal.angle);
  const axisY = Math.sin(petal.angle);
  return {
    bend: 0,
    notch: 0,
    veins: 0,
    ribs: 0,
    lines: 0,
    rim: 0,
    soft: 0,
    opacity: 1,
    ...petal,
    base,
    tip,
    belly,
    axisX,
    axisY,
    halfWidth: petal.halfWidth / widest,
    blendFrom: blend[0],
    blendRate: 1 / (blend[1] - blend[0]),
    // How far the petal's side faces the light.
    shade: (petal.shade ?? 0) * (-axisY - axisX) * Math.SQRT1_2,
  };
}

/** Cells of the grid that the petal's box touches, a fifth of a cell wider. */
function cellsUnder(petal: Petal): Set<number> {
  const ax = Math.cos(petal.angle);
  const ay = Math.sin(petal.angle);
  const margin = petal.halfWidth + 0.2 / GRID;
  const spine = STEPS.map((s) => {
    const side = (petal.bend ?? 0) * s * s * petal.length;
    return [
      petal.x + ax * s * petal.length - ay * side,
      petal.y + ay * s * petal.length + ax * side,
    ] as const;
  });
  const range = (values: number[]) => [
    Math.floor((Math.min(...values) - margin) * GRID),
    Math.floor((Math.max(...values) + margin) * GRID),
  ];
  const [left, right] = range(spine.map(([x]) => x));
  const [top, bottom] = range(spine.map(([, y]) => y));
  const wrap = (index: number) => ((index % GRID) + GRID) % GRID;
  const found = new Set<number>();
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) found.add(wrap(y) * GRID + wrap(x));
  }
  return found;
}
