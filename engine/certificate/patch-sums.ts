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
    Int32Array.from({ length: patches + 1 }, (_, at) => Math.ceil((at * samples) / patches));
  const columns = edges(planes.width, grid.across);
  const rows = edges(planes.height, grid.down);
  const tables = planes.channels.map((plane) => summedAreaTable(plane, planes));
  return {
    counts: Float64Array.from({ length: grid.across * grid.down }, (_, patch) => {
      const column = patch % grid.across;
      const row = Math.floor(patch / grid.across);
      return (columns[column + 1] - columns[column]) * (rows[row + 1] - rows[row]);
    }),
    sumsOf: (map) =>
      isAlongAxes(map)
        ? tables.map((table) => sumBoxes(table, planes, columns, rows, map))
        : sumSamples(planes, columns, rows, map),
  };
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
  columns: Int32Array,
  rows: Int32Array,
  { a, b, c, d, e, f }: Affine,
): Float64Array {
  // Edges lie half a sample before the centre of the first sample behind them.
  const across = columns.length;
  const corners = new Float64Array(across * rows.length);
  for (let row = 0, to = 0; row < rows.length; row++) {
    for (let column = 0; column < across; column++, to++) {
      const x = a * (columns[column] - 0.5) + b * (rows[row] - 0.5) + e + 0.5;
      const y = c * (columns[column] - 0.5) + d * (rows[row] - 0.5) + f + 0.5;
      corners[to] = sumBefore(table, size, x, y);
    }
  }
  const sign = Math.sign(a * d + b * c);
  const sums = new Float64Array((across - 1) * (rows.length - 1));
  for (let row = 1, to = 0; row < rows.length; row++) {
    for (let at = row * across + 1; at < (row + 1) * across; at++, to++) {
      const above = at - across;
      sums[to] = sign * (corners[at] - corners[at - 1] - corners[above] + corners[above - 1]);
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
  const copiesAcross = Math.floor(x / width);
  const copiesDown = Math.floor(y / height);
  const column = x - copiesAcross * width;
  const row = y - copiesDown * height;
  const first = Math.min(Math.floor(column), width - 1);
  const above = Math.min(Math.floor(row), height - 1);
  const line = (at: number) => {
    const start = at * (width + 1);
    const left = table[start + first];
    const within = left + (table[start + first + 1] - left) * (column - first);
    return within + copiesAcross * table[start + width];
  };
  const upper = line(above);
  const lower = line(above + 1);
  return upper + (lower - upper) * (row - above) + copiesDown * line(height);
}

/** Sums the images of patches row by row: the places of its samples are the same for all channels. */
function sumSamples(
  planes: SamplePlanes,
  columns: Int32Array,
  rows: Int32Array,
  map: Affine,
): PatchSums {
  const { height, channels } = planes;
  const placesOf = placesUnder(map, planes);
  const patches = columns.length - 1;
  const sums = channels.map(() => new Float64Array(patches * (rows.length - 1)));
  for (let j = 0, row = 0; j < height; j++) {
    if (j === rows[row + 1]) row++;
    const places = placesOf(j);
    for (let channel = 0; channel < channels.length; channel++) {
      addSamples(channels[channel], places, columns, sums[channel], row * patches);
    }
  }
  return sums;
}

/** Places between samples, of a row: the indices of the four samples around each, and its shares of them. */
interface Places {
  readonly corners: Int32Array;
  readonly shares: Float64Array;
}

/** Returns a function that returns the places of a row, in the same memory for each. */
function placesUnder({ a, b, c, d, e, f }: Affine, size: Size): (j: number) => Places {
  const { width, height } = size;
  const across = wrappedIndices([a, b, e], size, width);
  const down = wrappedIndices([c, d, f], size, height);
  const columns = across.indices;
  const lines = down.indices.map((line) => line * width);
  const corners = new Int32Array(4 * width);
  const shares = new Float64Array(2 * width);
  return (j) => {
    for (let i = 0; i < width; i++) {
      const x = a * i + b * j + e - across.least;
      const y = c * i + d * j + f - down.least;
      const column = (x + ROUNDING) | 0;
      const row = (y + ROUNDING) | 0;
      shares[2 * i] = Math.max(0, x - column);
      shares[2 * i + 1] = Math.max(0, y - row);
      const here = columns[column];
      const next = columns[column + 1];
      const above = lines[row];
      const below = lines[row + 1];
      corners[4 * i] = above + here;
      corners[4 * i + 1] = above + next;
      corners[4 * i + 2] = below + here;
      corners[4 * i + 3] = below + next;
    }
    return { corners, shares };
  };
}

/** Adds a plane's values at the places of a row to the sums of its patches, which begin at `first`. */
function addSamples(
  plane: Float32Array,
  { corners, shares }: Places,
  columns: Int32Array,
  sums: Float64Array,
  first: number,
): void {
  for (let patch = 0, i = 0; patch < columns.length - 1; patch++) {
    let sum = sums[first + patch];
    const end = columns[patch + 1];
    for (; i < end; i++) {
      const p = shares[2 * i];
      const q = shares[2 * i + 1];
      const topLeft = plane[corners[4 * i]];
      const bottomLeft = plane[corners[4 * i + 2]];
      const upper = topLeft + (plane[corners[4 * i + 1]] - topLeft) * p;
      const lower = bottomLeft + (plane[corners[4 * i + 3]] - bottomLeft) * p;
      sum += upper + (lower - upper) * q;
    }
    sums[first + patch] = sum;
  }
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
