/**
 * Which of a group's operations map a tile's pixels exactly onto pixels, and the pixels that have
 * to be evaluated so that copying gives the rest. Copies are exact to the bit.
 */
import { LRUCache } from "lru-cache";
import { newNumbers } from "../reused-array.ts";
import type { Size } from "../size.ts";
import { type Affine, compose, invert, type Point } from "./affine.ts";
import type { Isometries } from "./isometries.ts";

/** A tile of width × height pixels that holds a region of the plane which repeats. */
export interface Tile extends Size {
  /** From pixel coordinates (the centre of pixel (i, j) is (i + ½, j + ½)) to the plane. */
  readonly toPlane: Affine;
  /** Size of the region, in edges of the cell: whole multiples of the group's period. */
  readonly region: Size;
}

/** Returns the longer side of a tile's pixels, in cell edges. */
export const edgesPerPixelOf = ({ toPlane: { a, b, c, d } }: Tile): number =>
  Math.max(Math.hypot(a, c), Math.hypot(b, d));

/** Pixel (i, j) → (a·i + b·j + e mod width, c·i + d·j + f mod height), whole numbers all. */
export interface PixelOperation extends Affine {
  /** Whether it exchanges the colours. */
  readonly exchanging: boolean;
}

/** A run of pixels of row y: x = from … to − 1. */
export interface Run {
  readonly y: number;
  readonly from: number;
  readonly to: number;
}

/** Positions this near to a pixel's centre, in pixels, are on it. */
const NEAR = 1e-6;

/** The operations that map the grid of a tile onto itself, the identity first. They form a group. */
export function gridOperations(isometries: Isometries, tile: Tile): PixelOperation[] {
  const toPixels = invert(tile.toPlane);
  // Pixel indices are half a pixel off pixel coordinates.
  const half: Affine = { a: 1, b: 0, c: 0, d: 1, e: 0.5, f: 0.5 };
  const fromIndex = compose(tile.toPlane, half);
  const toIndex = compose(invert(half), toPixels);
  const translations = translationsWithin(isometries, tile.region);
  const found = new Map<string, PixelOperation>();
  for (const [index, coset] of isometries.cosets.entries()) {
    const pixel = compose(toIndex, coset, fromIndex);
    if (![pixel.a, pixel.b, pixel.c, pixel.d].every(isWhole)) continue;
    for (const t of translations) {
      const e = pixel.e + toPixels.a * t.x + toPixels.b * t.y;
      const f = pixel.f + toPixels.c * t.x + toPixels.d * t.y;
      if (!isWhole(e) || !isWhole(f)) continue;
      const operation = {
        a: Math.round(pixel.a),
        b: Math.round(pixel.b),
        c: Math.round(pixel.c),
        d: Math.round(pixel.d),
        e: modulo(Math.round(e), tile.width),
        f: modulo(Math.round(f), tile.height),
        exchanging: isometries.exchanging?.[index] ?? false,
      };
      found.set(Object.values(operation).join(), operation);
    }
  }
  return [...found.values()];
}

/** A group's translations, one of each class modulo the region. */
export function translationsWithin(
  { basis: [a, b], translates }: Pick<Isometries, "basis" | "translates">,
  region: Size,
): Point[] {
  if (!translates) return [{ x: 0, y: 0 }];
  const area = Math.abs(a.x * b.y - a.y * b.x);
  const diagonal = Math.hypot(region.width, region.height);
  const columns = Math.ceil((diagonal * Math.hypot(b.x, b.y)) / area);
  const rows = Math.ceil((diagonal * Math.hypot(a.x, a.y)) / area);
  const found: Point[] = [];
  const within = (value: number, size: number) => value > -NEAR && value < size - NEAR;
  for (let i = -columns; i <= columns; i++) {
    for (let j = -rows; j <= rows; j++) {
      const t = { x: i * a.x + j * b.x, y: i * a.y + j * b.y };
      if (within(t.x, region.width) && within(t.y, region.height)) found.push(t);
    }
  }
  return found;
}

/** The latest units by their operations and size: they take 1 to 4 ms, and few sizes are common. */
const units = new LRUCache<string, readonly Run[]>({ max: 16 });
/** The units of tiles with more operations are not cached: their keys would be long. */
const MAX_KEY_OPERATIONS = 200;

/**
 * The first pixel of each orbit, in the order of rows, as runs: a pixel is first when no operation
 * maps it to an earlier one. For one row and one operation that is an interval or two of x, so the
 * cost is that of the rows, not of the pixels. (A pixel that a quarter turn or a diagonal mirror
 * maps within its own row may appear beside its image; both have the same value.)
 */
export function asymmetricUnit(
  operations: readonly PixelOperation[],
  { width, height }: Size,
): readonly Run[] {
  const key =
    operations.length <= MAX_KEY_OPERATIONS ? JSON.stringify([operations, width, height]) : null;
  const known = key === null ? undefined : units.get(key);
  if (known !== undefined) return known;
  const runs: Run[] = [];
  for (let y = 0; y < height; y++) {
    let intervals: Interval[] = [[0, width]];
    for (const operation of operations) {
      intervals = intersect(intervals, firstOf(operation, y, width, height));
      if (intervals.length === 0) break;
    }
    for (const [from, to] of intervals) runs.push({ y, from, to });
  }
  if (key !== null) units.set(key, runs);
  return runs;
}

/** From … to − 1. */
type Interval = readonly [from: number, to: number];

/** The x of a row whose image under an operation is no earlier than the pixel itself. */
function firstOf(
  { a, c, d, e, f }: PixelOperation,
  y: number,
  width: number,
  height: number,
): Interval[] {
  if (c === 0) {
    const image = modulo(d * y + f, height);
    if (image !== y) return image < y ? [] : [[0, width]];
    if (a === 1) return [[0, width - e]];
    // x ≤ e − x, or beyond e, where the image is e − x + width.
    return [
      [0, Math.floor(e / 2) + 1],
      [e + 1, Math.floor((e + width) / 2) + 1],
    ];
  }
  // The image's row is c·x + f, brought into the tile.
  if (c === 1) {
    return [
      [Math.max(0, y - f), height - f],
      [height - f + y, width],
    ];
  }
  return [
    [0, f - y + 1],
    [f + 1, Math.min(width, f - y + height + 1)],
  ];
}

function intersect(first: readonly Interval[], second: readonly Interval[]): Interval[] {
  return first
    .flatMap(([from, to]) =>
      second.map(([low, high]): Interval => [Math.max(from, low), Math.min(to, high)]),
    )
    .filter(([from, to]) => from < to);
}

/**
 * Copies the pixels of an asymmetric unit to all the tile.
 * @param values one number for each pixel of the runs, in their order
 * @param allocate returns the memory for the picture
 * @returns width × height numbers
 */
export function copyToOrbits(
  values: Float32Array,
  runs: readonly Run[],
  operations: readonly PixelOperation[],
  { width, height }: Size,
  allocate = newNumbers,
): Float32Array {
  if (values.length === width * height) return values;
  const picture = allocate(width * height);
  addToOrbits(values, runs, operations, { width, height }, picture);
  return picture;
}

/** Copies the pixels of an asymmetric unit, as `copyToOrbits` does, to those of a picture that operations lead to. */
export function addToOrbits(
  values: Float32Array,
  runs: readonly Run[],
  operations: readonly PixelOperation[],
  { width, height }: Size,
  picture: Float32Array,
): void {
  const inRows = operations.filter(({ c }) => c === 0);
  const inColumns = operations.filter(({ c }) => c !== 0);
  let first = 0;
  const placed = runs.map((run) => {
    const placed = { ...run, first };
    first += run.to - run.from;
    return placed;
  });
  for (const operation of inColumns)
    copyToColumns(values, placed, operation, { width, height }, picture);
  for (const { y, from, to, first } of placed) {
    const end = first + to - from;
    for (const { a, b, d, e, f } of inRows) {
      let x = modulo(a * from + b * y + e, width);
      const row = modulo(d * y + f, height) * width;
      for (let k = first; k < end; ) {
        const stop = Math.min(end, k + (a === 1 ? width - x : x + 1));
        let at = row + x;
        if (a === 1) picture.set(values.subarray(k, stop), at);
        else for (let i = k; i < stop; i++, at--) picture[at] = values[i];
        // It goes on at the opposite side.
        x = modulo(x + a * (stop - k), width);
        k = stop;
      }
    }
  }
}

interface PlacedRun extends Run {
  /** Index of the value of its first pixel. */
  readonly first: number;
}

/** Runs that are copied together to adjacent columns, which share lines of the processor's cache. */
const COLUMNS = 32;

/** Copies runs to columns of a picture. */
function copyToColumns(
  values: Float32Array,
  runs: readonly PlacedRun[],
  { b, c, e, f }: PixelOperation,
  { width, height }: Size,
  picture: Float32Array,
): void {
  // Of rows with several runs, those at about the same x.
  const isFirst = (at: number) => runs[at].y !== runs[at - 1]?.y;
  const alike = [runs.filter((_, at) => isFirst(at)), runs.filter((_, at) => !isFirst(at))];
  for (const some of alike.flatMap((runs) => inGroups(runs, COLUMNS))) {
    const columns = Int32Array.from(some, ({ y }) => modulo(b * y + e, width));
    const froms = Int32Array.from(some, ({ from }) => from);
    const ends = Int32Array.from(some, ({ to }) => to);
    /** What is added to x for the index of its value. */
    const starts = Int32Array.from(some, ({ first, from }) => first - from);
    const [inAll, untilAll] = [Math.max(...froms), Math.min(...ends)];
    const last = Math.max(...ends);
    for (let x = Math.min(...froms); x < last; x++) {
      const at = modulo(c * x + f, height) * width;
      if (x >= inAll && x < untilAll) {
        for (let run = 0; run < columns.length; run++) {
          picture[at + columns[run]] = values[starts[run] + x];
        }
      } else {
        for (let run = 0; run < columns.length; run++) {
          if (x >= froms[run] && x < ends[run])
            picture[at + columns[run]] = values[starts[run] + x];
        }
      }
    }
  }
}

function inGroups<Item>(items: readonly Item[], length: number): Item[][] {
  const count = Math.ceil(items.length / length);
  return Array.from({ length: count }, (_, at) => items.slice(at * length, (at + 1) * length));
}

/**
 * The values of a picture at the pixels of runs, in their order: what `copyToOrbits` takes. Pixels
 * that an operation maps within their own row get one value, so that copying makes any picture
 * that is nearly symmetric exactly so.
 */
export function valuesInRuns(
  picture: Float32Array,
  runs: readonly Run[],
  operations: readonly PixelOperation[],
  { width, height }: Size,
): Float32Array {
  const values = new Float32Array(runs.reduce((sum, { from, to }) => sum + to - from, 0));
  let first = 0;
  for (const { y, from, to } of runs) {
    const row = picture.slice(y * width, (y + 1) * width);
    for (const { a, b, c, d, e, f } of operations) {
      if (c === 0) continue;
      const x = modulo((y - d * y - f) / c, height);
      const image = modulo(a * x + b * y + e, width);
      const orbit = [x, image].map((at) => row[at]);
      row[x] = row[image] = Math.min(...orbit);
    }
    values.set(row.subarray(from, to), first);
    first += to - from;
  }
  return values;
}

/** Returns the index of the pixel onto which an operation maps another. */
export const imageOf = (
  { a, b, c, d, e, f }: PixelOperation,
  x: number,
  y: number,
  { width, height }: Size,
): number => modulo(c * x + d * y + f, height) * width + modulo(a * x + b * y + e, width);

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < NEAR;

const modulo = (value: number, size: number) => ((value % size) + size) % size;
