/**
 * Continues a picture beyond its edges without adding symmetry: with unmirrored copies that each
 * start at a different offset, so that no translation maps the copies onto each other. Mirror images
 * would add mirrors that the group does not have (docs/adr/0036).
 */
import type { Size } from "../size.ts";
import { createMixSlicer, createRowMixer, type Mix, mixColumns } from "./mix-packed.ts";
import type { PackedImage, PackedRow, Region } from "./picture.ts";

/**
 * Next to an edge the picture is reflected and stretched to twice its length: continuous, yet no
 * mirror image. The reflection fades into a copy between these shares of the shorter side.
 */
const FADE_FROM = 0.06;
const FADE_TO = 0.2;
const STRETCH = 2;
/** Share of the picture that a copy skips at its start. */
const MIN_LEFT_OUT = 0.1;
const MAX_LEFT_OUT = 0.35;
/** Its multiples modulo 1 never repeat and are evenly distributed. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Consecutive positions that show consecutive pixels of the source. */
interface Run {
  readonly at: number;
  readonly pixel: number;
  count: number;
}

/** Source pixels of consecutive positions along one axis. */
interface ContinuedAxis {
  readonly runs: readonly Run[];
  /** Ordered by `at`. */
  readonly mixed: readonly Mix[];
}

/**
 * Returns the source pixels of `count` positions from `start`, on an axis of `size` pixels.
 * @param shorter the picture's shorter side in pixels
 */
function continueAxis(start: number, count: number, size: number, shorter: number): ContinuedAxis {
  const runs: Run[] = [];
  const mixed: Mix[] = [];
  const add = (at: number, pixel: number) => {
    const run = runs.at(-1);
    if (run !== undefined && run.pixel + run.count === pixel) run.count++;
    else runs.push({ at, pixel, count: 1 });
  };
  for (let at = 0; at < count; at++) {
    const place = start + at;
    if (place >= 0 && place < size) {
      add(at, place);
      continue;
    }
    const isAfter = place >= size;
    // The side before the picture mirrors the rules of the side after it.
    const fromEnd = (pixel: number) => (isAfter ? pixel : size - 1 - pixel);
    const { pixel, away } = inCopies(isAfter ? place - size : -1 - place, size);
    add(at, fromEnd(pixel));
    const share = reflectionShare((away + 0.5) / shorter);
    if (share === 0) continue;
    const deep = Math.max(0, (away + 0.5) / STRETCH - 0.5);
    const near = Math.floor(deep);
    const turned = (depth: number) => fromEnd(Math.max(0, size - 1 - depth));
    const between = deep - near;
    const weights = [1 - share, share * (1 - between), share * between] as const;
    mixed.push({ at, near: turned(near), far: turned(near + 1), weights });
  }
  return { runs, mixed };
}

/** Returns the weight of the reflection at a distance from an edge; 1 at the edge. */
function reflectionShare(distance: number): number {
  const t = Math.min(1, Math.max(0, (distance - FADE_FROM) / (FADE_TO - FADE_FROM)));
  return 1 - t * t * (3 - 2 * t);
}

/**
 * Returns the pixel shown `behind` pixels after the picture's end, and its distance from the start of
 * its copy.
 */
function inCopies(behind: number, size: number) {
  let away = behind;
  for (let copy = 0; ; copy++) {
    const spread = (MAX_LEFT_OUT - MIN_LEFT_OUT) * ((copy * GOLDEN) % 1);
    const leftOut = Math.floor((MIN_LEFT_OUT + spread) * size);
    if (away < size - leftOut) return { pixel: leftOut + away, away };
    away -= size - leftOut;
  }
}

/** Blocks of a picture along both axes; a pixel is needed if both its column and its row are. */
export interface NeededBlocks {
  readonly columns: Uint8Array;
  readonly rows: Uint8Array;
}

/**
 * Returns the blocks of `side` × `side` pixels of a picture that a region shows, of the picture itself and of
 * what continues it.
 */
export function blocksShown({ width, height }: Size, region: Region, side: number): NeededBlocks {
  const shorter = Math.min(width, height);
  const shown = (start: number, count: number, size: number) => {
    const blocks = new Uint8Array(Math.ceil(size / side));
    const { runs, mixed } = continueAxis(start, count, size, shorter);
    for (const { pixel, count } of runs) {
      blocks.fill(1, Math.floor(pixel / side), Math.floor((pixel + count - 1) / side) + 1);
    }
    for (const { near, far } of mixed) {
      blocks[Math.floor(near / side)] = 1;
      blocks[Math.floor(far / side)] = 1;
    }
    return blocks;
  };
  return {
    columns: shown(region.x, region.width, width),
    rows: shown(region.y, region.height, height),
  };
}

/** Rows of a continued picture. */
export interface ContinuedRows {
  /** Writes the pixels of `row` to `into`. */
  read(row: number, into: PackedRow): void;
}

/**
 * Continues a rectangle of a picture.
 * @returns a function that returns the rows of `width` columns from `x` on, by default of all
 */
export function createContinuation(picture: PackedImage, region: Region) {
  const shorter = Math.min(picture.width, picture.height);
  const across = continueAxis(region.x, region.width, picture.width, shorter);
  const down = continueAxis(region.y, region.height, picture.height, shorter);
  const mixedColumns = createMixSlicer(across.mixed);
  const mixedRows = new Map(down.mixed.map((mixed) => [mixed.at, mixed]));
  const mixRows = createRowMixer();
  const pixelOfRow = new Int32Array(region.height);
  for (const { at, pixel, count } of down.runs) {
    for (let k = 0; k < count; k++) pixelOfRow[at + k] = pixel + k;
  }
  return (x = region.x, width = region.width): ContinuedRows => {
    const left = x - region.x;
    const runs = across.runs.flatMap(({ at, pixel, count }) => {
      const from = Math.max(at, left);
      const to = Math.min(at + count, left + width);
      return from < to ? [{ at: from - left, pixel: pixel + from - at, count: to - from }] : [];
    });
    const mixed = mixedColumns(left, left + width);
    const readRow = (row: number, into: PackedRow) => {
      const start = row * picture.width;
      for (const { at, pixel, count } of runs) {
        const from = start + pixel;
        into.colour.set(picture.colour.subarray(from, from + count), at);
        if (picture.alpha !== null) {
          into.alpha?.set(picture.alpha.subarray(from, from + count), at);
        }
      }
      mixColumns(into, -left, picture, start, mixed);
    };
    /** Rows that are mixed into others: each is read once and mixed into a few that follow each other. */
    const others: { row: number; readonly pixels: PackedRow }[] = Array.from(
      { length: mixedRows.size > 0 ? 4 : 0 },
      () => ({ row: -1, pixels: newRow(width, picture.alpha !== null) }),
    );
    const otherRow = (row: number) => {
      const known = others.find((other) => other.row === row);
      if (known !== undefined) return known.pixels;
      const [oldest] = others.splice(0, 1);
      oldest.row = row;
      readRow(row, oldest.pixels);
      others.push(oldest);
      return oldest.pixels;
    };
    return {
      read(row, into) {
        readRow(pixelOfRow[row - region.y], into);
        const mixed = mixedRows.get(row - region.y);
        if (mixed === undefined) return;
        mixRows(into, otherRow(mixed.near), otherRow(mixed.far), mixed.weights);
      },
    };
  };
}

const newRow = (width: number, hasAlpha: boolean): PackedRow => ({
  colour: new Float32Array(width),
  alpha: hasAlpha ? new Uint8Array(width) : null,
});
