/**
 * Checks symmetry on pixels, from the International Tables' positions, without the engine's
 * geometry.
 */
import { readFileSync } from "node:fs";
import type { GroupName } from "../../engine/index.ts";
import type { Raster } from "./pictures.ts";

interface TableRow {
  readonly name: GroupName;
  readonly lattice: string;
  readonly centred: boolean;
  readonly positions: readonly string[];
  readonly t_supergroups: readonly GroupName[];
}

const table = JSON.parse(
  readFileSync(new URL("../geometry/plane-groups.json", import.meta.url), "utf8"),
).groups as readonly TableRow[];

/** The row of a group in the machine-checked table. */
export function tableRow(name: GroupName): TableRow {
  return table.find((row) => row.name === name) as TableRow;
}

/** Positions of a group, the centred ones written out. */
export function allPositions({ positions, centred }: TableRow): string[] {
  const shifted = positions.map((position) =>
    position
      .split(",")
      .map((row) => `${row}+1/2`)
      .join(),
  );
  return centred ? [...positions, ...shifted] : [...positions];
}

/** A position such as `-y,x-y+1/2` as a function of fractions. */
export function positionFunction(position: string): (x: number, y: number) => [number, number] {
  const rows = position.split(",");
  return (x, y) =>
    rows.map((row) => {
      const terms = row.match(/[+-]?[^+-]+/g) ?? [];
      return terms.reduce((sum, term) => {
        const sign = term.startsWith("-") ? -1 : 1;
        const factor = term.replace(/^[+-]/, "");
        if (factor === "x") return sum + sign * x;
        if (factor === "y") return sum + sign * y;
        const [top, bottom] = factor.split("/").map(Number);
        return sum + (sign * top) / bottom;
      }, 0);
    }) as [number, number];
}

/** The largest difference in any channel between a cell's picture and its image under a position. */
export function differenceUnder(
  position: string,
  { width, height, channels, pixels }: Raster,
): number {
  const image = positionFunction(position);
  let largest = 0;
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const [u, v] = image((i + 0.5) / width, (j + 0.5) / height);
      const x = wrap(Math.round(u * width - 0.5), width);
      const y = wrap(Math.round(v * height - 0.5), height);
      for (let c = 0; c < channels; c++) {
        const here = pixels[(j * width + i) * channels + c];
        const there = pixels[(y * width + x) * channels + c];
        largest = Math.max(largest, Math.abs(here - there));
      }
    }
  }
  return largest;
}

/** Catmull–Rom interpolation at (x, y) in pixels of a picture that repeats, one channel. */
export function sampleCubic(
  { width, height, channels, pixels }: Raster,
  x: number,
  y: number,
  channel: number,
): number {
  const left = Math.floor(x - 0.5);
  const top = Math.floor(y - 0.5);
  const weightsX = cubicWeights(x - 0.5 - left);
  const weightsY = cubicWeights(y - 0.5 - top);
  let sum = 0;
  for (let j = 0; j < 4; j++) {
    for (let i = 0; i < 4; i++) {
      const column = wrap(left - 1 + i, width);
      const row = wrap(top - 1 + j, height);
      sum += weightsX[i] * weightsY[j] * pixels[(row * width + column) * channels + channel];
    }
  }
  return sum;
}

function cubicWeights(t: number): number[] {
  return [
    ((-t + 2) * t - 1) * t * 0.5,
    ((3 * t - 5) * t * t + 2) * 0.5,
    ((-3 * t + 4) * t + 1) * t * 0.5,
    (t - 1) * t * t * 0.5,
  ];
}

const wrap = (value: number, size: number) => ((value % size) + size) % size;
