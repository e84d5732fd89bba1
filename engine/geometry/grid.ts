/**
 * Finds which of a group's operations map a tile's pixels exactly onto pixels, and the asymmetric unit: the pixels
 * from which those operations make all others.
 */
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

/**
 * The first pixel of each orbit, in the order of rows, as runs: a pixel is first when no operation
 * maps it to an earlier one. For one row and one operation that is an interval or two of x, so the
 * cost is that of the rows, not of the pixels. (A pixel that a quarter turn or a diagonal mirror
 * maps within its own row may appear beside its image; both have the same value.)
 */
export function asymmetricUnit(
  operations: readonly PixelOperation[],
  { width, height }: Size,
): Run[] {
  const runs: Run[] = [];
  // An operation divides a row's intervals at one x at most.
  const most = operations.length + 1;
  let [intervals, rest] = [newIntervals(most), newIntervals(most)];
  const first = newIntervals(2);
  for (let y = 0; y < height; y++) {
    intervals.count = 0;
    add(intervals, 0, width);
    for (const operation of operations) {
      if (!findFirst(operation, y, width, height, first)) continue;
      intersect(intervals, first, rest);
      [intervals, rest] = [rest, intervals];
      if (intervals.count === 0) break;
    }
    for (let at = 0; at < intervals.count; at++) {
      runs.push({ y, from: intervals.from[at], to: intervals.to[at] });
    }
  }
  return runs;
}

/** Intervals of x, from … to − 1, in memory that every row uses. */
interface Intervals {
  readonly from: Int32Array;
  readonly to: Int32Array;
  count: number;
}

const newIntervals = (most: number): Intervals => ({
  from: new Int32Array(most),
  to: new Int32Array(most),
  count: 0,
});

function add(intervals: Intervals, from: number, to: number): void {
  intervals.from[intervals.count] = from;
  intervals.to[intervals.count++] = to;
}

/**
 * Finds the x of a row whose image under an operation is no earlier than the pixel itself. Returns false where those are
 * all, and leaves `found` as it was.
 */
function findFirst(
  { a, c, d, e, f }: PixelOperation,
  y: number,
  width: number,
  height: number,
  found: Intervals,
): boolean {
  const image = c === 0 ? modulo(d * y + f, height) : y;
  if (image > y) return false;
  found.count = 0;
  if (image < y) return true;
  if (c === 0 && a === 1) {
    add(found, 0, width - e);
  } else if (c === 0) {
    // x ≤ e − x, or beyond e, where the image is e − x + width.
    add(found, 0, Math.floor(e / 2) + 1);
    add(found, e + 1, Math.floor((e + width) / 2) + 1);
  } else if (c === 1) {
    // The image's row is c·x + f, brought into the tile.
    add(found, Math.max(0, y - f), height - f);
    add(found, height - f + y, width);
  } else {
    add(found, 0, f - y + 1);
    add(found, f + 1, Math.min(width, f - y + height + 1));
  }
  return true;
}

/** Writes what is in both of two lists of intervals into a third one. */
function intersect(one: Intervals, other: Intervals, both: Intervals): void {
  both.count = 0;
  for (let i = 0; i < one.count; i++) {
    for (let j = 0; j < other.count; j++) {
      const from = Math.max(one.from[i], other.from[j]);
      const to = Math.min(one.to[i], other.to[j]);
      if (from < to) add(both, from, to);
    }
  }
}

/** Returns the index of the pixel onto which an operation maps another. */
export const imageOf = (
  { a, b, c, d, e, f }: PixelOperation,
  x: number,
  y: number,
  { width, height }: Size,
): number => modulo(c * x + d * y + f, height) * width + modulo(a * x + b * y + e, width);

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < NEAR;

/** Returns a value modulo a size, 0 … size − 1. */
export const modulo = (value: number, size: number) => ((value % size) + size) % size;
