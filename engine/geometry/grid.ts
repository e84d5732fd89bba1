/**
 * Finds which of a group's operations map a tile's pixels exactly onto pixels, and the asymmetric unit: the pixels
 * from which those operations make all others.
 */
import { LRUCache } from "lru-cache";
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
