/** Sums of a picture that wraps, and of its images under affine maps, over a grid of patches. */
import type { Affine } from "../geometry/affine.ts";
import type { Size } from "../size.ts";
import type { SamplePlanes } from "./planes.ts";

/** Number of patches across and down a picture. */
export interface PatchGrid {
  readonly across: number;
  readonly down: number;
}

/** For each channel, the sum of each patch, row by row. */
export type PatchSums = readonly Float64Array[];

export interface PicturePatches {
  /** Number of samples in each patch. */
  readonly counts: Float64Array;
  /** Returns the sums of the picture's image under a map of sample indices, bilinearly interpolated. */
  sumsOf(map: Affine): PatchSums;
}

/** Prepares sums over the patches of a picture. */
export function picturePatches(planes: SamplePlanes, grid: PatchGrid): PicturePatches {
  const edges = (samples: number, patches: number) =>
    Array.from({ length: patches + 1 }, (_, at) => Math.ceil((at * samples) / patches));
  const columns = edges(planes.width, grid.across);
  const rows = edges(planes.height, grid.down);
  const patches = rows
    .slice(1)
    .flatMap((bottom, row) =>
      columns
        .slice(1)
        .map((right, column) => ({ left: columns[column], top: rows[row], right, bottom })),
    );
  const tables = planes.channels.map((plane) => summedAreaTable(plane, planes));
  return {
    counts: Float64Array.from(
      patches,
      ({ left, top, right, bottom }) => (right - left) * (bottom - top),
    ),
    sumsOf: (map) =>
      isAlongAxes(map)
        ? tables.map((table) => sumBoxes(table, planes, columns, rows, map))
        : planes.channels.map((plane) => sumSamples(plane, planes, patches, map)),
  };
}

/** A patch: the samples from `left` and `top` to before `right` and `bottom`. */
interface Patch {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Whether a map takes rows to rows or to columns, without scaling them. */
function isAlongAxes({ a, b, c, d }: Affine): boolean {
  const isUnit = (value: number) => Math.abs(Math.abs(value) - 1) < 1e-9;
  const isZero = (value: number) => Math.abs(value) < 1e-9;
  const isStraight = isUnit(a) && isUnit(d) && isZero(b) && isZero(c);
  return isStraight || (isUnit(b) && isUnit(c) && isZero(a) && isZero(d));
}

/** Sums patches whose images are boxes, too, of one channel: a sum of the table at their corners. */
function sumBoxes(
  table: Float64Array,
  size: Size,
  columns: readonly number[],
  rows: readonly number[],
  { a, b, c, d, e, f }: Affine,
): Float64Array {
  // Edges lie half a sample before the centre of the first sample behind them.
  const corners = rows.map((row) =>
    columns.map((column) => {
      const x = a * (column - 0.5) + b * (row - 0.5) + e + 0.5;
      const y = c * (column - 0.5) + d * (row - 0.5) + f + 0.5;
      return sumBefore(table, size, x, y);
    }),
  );
  const sign = Math.sign(a * d + b * c);
  const sums = new Float64Array((columns.length - 1) * (rows.length - 1));
  for (let row = 1, to = 0; row < rows.length; row++) {
    const [above, below] = [corners[row - 1], corners[row]];
    for (let column = 1; column < columns.length; column++, to++) {
      sums[to] = sign * (below[column] - below[column - 1] - above[column] + above[column - 1]);
    }
  }
  return sums;
}

/** Returns the sum of a plane's samples before each column and row, 0 to `width` and 0 to `height`. */
function summedAreaTable(plane: Float32Array, { width, height }: Size): Float64Array {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0, from = 0, to = width + 2; y < height; y++, to++) {
    let line = 0;
    for (let x = 0; x < width; x++, from++, to++) {
      line += plane[from];
      sums[to] = sums[to - width - 1] + line;
    }
  }
  return sums;
}

/**
 * Returns the sum of what lies before a column x and a row y of a picture that wraps, interpolated
 * between whole ones: differences of it are sums of bilinearly interpolated samples.
 */
function sumBefore(table: Float64Array, { width, height }: Size, x: number, y: number): number {
  const [copiesAcross, copiesDown] = [Math.floor(x / width), Math.floor(y / height)];
  const [column, row] = [x - copiesAcross * width, y - copiesDown * height];
  const first = Math.min(Math.floor(column), width - 1);
  const above = Math.min(Math.floor(row), height - 1);
  const line = (at: number) => {
    const start = at * (width + 1);
    const left = table[start + first];
    const within = left + (table[start + first + 1] - left) * (column - first);
    return within + copiesAcross * table[start + width];
  };
  const [upper, lower] = [line(above), line(above + 1)];
  return upper + (lower - upper) * (row - above) + copiesDown * line(height);
}

/** Sums the images of patches of one channel sample by sample. */
function sumSamples(
  plane: Float32Array,
  size: Size,
  patches: readonly Patch[],
  { a, b, c, d, e, f }: Affine,
): Float64Array {
  const { width, height } = size;
  const across = wrappedIndices([a, b, e], size, width);
  const down = wrappedIndices([c, d, f], size, height);
  const columns = across.indices;
  const lines = down.indices.map((line) => line * width);
  return Float64Array.from(patches, ({ left, top, right, bottom }) => {
    let sum = 0;
    for (let j = top; j < bottom; j++) {
      for (let i = left; i < right; i++) {
        const x = a * i + b * j + e - across.least;
        const y = c * i + d * j + f - down.least;
        const column = (x + ROUNDING) | 0;
        const row = (y + ROUNDING) | 0;
        const p = Math.max(0, x - column);
        const q = Math.max(0, y - row);
        const above = lines[row];
        const below = lines[row + 1];
        const here = columns[column];
        const next = columns[column + 1];
        const topLeft = plane[above + here];
        const bottomLeft = plane[below + here];
        const upper = topLeft + (plane[above + next] - topLeft) * p;
        const lower = bottomLeft + (plane[below + next] - bottomLeft) * p;
        sum += upper + (lower - upper) * q;
      }
    }
    return sum;
  });
}

/** Distance below a sample that counts as rounding. */
const ROUNDING = 1e-7;

/**
 * Returns the least index along an axis that any sample is mapped to, and the samples at that index and
 * those after it, in a picture that wraps.
 */
function wrappedIndices(
  [a, b, e]: readonly [number, number, number],
  { width, height }: Size,
  size: number,
) {
  const [right, bottom] = [a * (width - 1), b * (height - 1)];
  const least = Math.floor(e + Math.min(0, right) + Math.min(0, bottom)) - 1;
  const most = Math.ceil(e + Math.max(0, right) + Math.max(0, bottom)) + 1;
  const first = ((least % size) + size) % size;
  const indices = Int32Array.from({ length: most - least + 1 }, (_, at) => (first + at) % size);
  return { least, indices };
}
