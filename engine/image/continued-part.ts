/** Copies what is needed of a part of a picture and of what continues it. */
import type { Point } from "../geometry/affine.ts";
import type { Size } from "../size.ts";
import { ContinuedPicture } from "./continuation.ts";
import { LIGHT_WORDS, type LightRows, packLightRow } from "./light.ts";
import type { PackedImage, Region } from "./picture.ts";

/** Rows of a part of a picture, `length` numbers apart. */
export interface PartRows {
  readonly colour: Float32Array;
  readonly alpha: Float32Array | null;
  readonly length: number;
}

/** Pixels around an outline that interpolation may read. */
export const MARGIN = 2;

/** By how much positions that kernels compute in 32 bits may be larger, in pixels, and more. */
const ROUNDED = 1 / 16;

/** Rows in a band. A band copies every column that one of its rows needs, so larger bands copy more pixels. */
const BAND = 32;

/** Columns of a block, which has the rows of a band. */
const BLOCK = 64;

/** Copies rectangles of a part, in pixels of the picture, into the part's rows. */
export type CopyPart = (into: PartRows | LightRows, rectangles: Iterable<Region>) => void;

/**
 * Returns a function that copies a part of a picture. Beyond its edges the picture is continued with copies of itself.
 * @param region whole pixels
 */
export function createPartCopy(picture: PackedImage, region: Region): CopyPart {
  let continued: ContinuedPicture | undefined;
  return (into, rectangles) => {
    continued ??= new ContinuedPicture(picture, region);
    for (const rectangle of rectangles) {
      const { x, y, width, height } = rectangle;
      const start = (y - region.y) * into.length + x - region.x;
      if ("light" in into) continued.copy(rectangle, into.light, start, into.length);
      else {
        const light = new Int32Array(LIGHT_WORDS * width * height);
        continued.copy(rectangle, light, 0, width);
        for (let row = 0; row < height; row++) {
          packLightRow(light, row * width, into, start + row * into.length, width);
        }
      }
    }
  };
}

/** The blocks of a part that are needed: they are added before they are read. */
export class PartBlocks {
  readonly #region: Region;
  /** In blocks. */
  readonly #size: Size;
  /** 1 for each that is needed, else 0. */
  readonly #needed: Uint8Array;
  /** Row of blocks of each needed one, in the order in which they were added. */
  readonly #rows: number[] = [];

  /** @param region whole pixels of a picture */
  constructor(region: Region) {
    this.#region = region;
    this.#size = {
      width: Math.ceil(region.width / BLOCK),
      height: Math.ceil(region.height / BAND),
    };
    this.#needed = new Uint8Array(this.#size.width * this.#size.height);
  }

  /** How many blocks the part has. */
  get length(): number {
    return this.#needed.length;
  }

  /** How many of them are needed. */
  get count(): number {
    return this.#rows.length;
  }

  /** Adds what interpolation reads along a line, in pixels of the part, of which the first has its centre at (0, 0). */
  addLine(fromX: number, fromY: number, toX: number, toY: number): void {
    const least = Math.min(fromY, toY);
    const most = Math.max(fromY, toY);
    const first = this.#rowAt(least - MARGIN);
    const last = this.#rowAt(most + MARGIN);
    // A flat line may read two rows of blocks, each over its whole length.
    const isFlat = first === last || most - least < 1;
    const slope = (toX - fromX) / (toY - fromY);
    for (let row = first; row <= last; row++) {
      let from = fromX;
      let to = toX;
      if (!isFlat) {
        // Beyond the edges of the part the pixels of its edges are read.
        const top = row === first ? least : Math.max(least, row * BAND - MARGIN);
        const bottom = row === last ? most : Math.min(most, (row + 1) * BAND + MARGIN);
        from = fromX + (top - fromY) * slope;
        to = fromX + (bottom - fromY) * slope;
      }
      this.#addBlocks(row, Math.min(from, to) - MARGIN, Math.max(from, to) + MARGIN + ROUNDED);
    }
  }

  /** Adds what is inside and next to an outline, see `bandsWithin`. */
  addWithin(outline: readonly Point[]): void {
    for (const { x, y, width } of bandsWithin(this.#region, outline)) {
      const left = x - this.#region.x;
      this.#addBlocks((y - this.#region.y) / BAND, left, left + width - 1);
    }
  }

  /**
   * Yields rectangles of the picture with the blocks that are needed but not done, and marks them as done.
   * @param done 1 for each block that is, else 0
   * @param known how many blocks were needed when all of them were done, to look at those that were added since then
   * @param rows of blocks in a rectangle; with several, it may have blocks that are not needed
   */
  *missing(done: Uint8Array, known = 0, rows = 1): Generator<Region> {
    const { x, y, width, height } = this.#region;
    let [first, last] = [this.#size.height, -1];
    for (let at = known; at < this.#rows.length; at++) {
      first = Math.min(first, this.#rows[at]);
      last = Math.max(last, this.#rows[at]);
    }
    for (let row = first - (first % rows); row <= last; row += rows) {
      let left = 0;
      for (let column = 0; column <= this.#size.width; column++) {
        if (column < this.#size.width && this.#isMissing(done, row, rows, column)) continue;
        const right = Math.min(column * BLOCK, width);
        const top = row * BAND;
        if (left < right) {
          const bottom = Math.min(top + rows * BAND, height);
          yield { x: x + left, y: y + top, width: right - left, height: bottom - top };
        }
        left = (column + 1) * BLOCK;
      }
    }
  }

  /** Whether some blocks of a column are needed but not done. Marks them as done. */
  #isMissing(done: Uint8Array, row: number, rows: number, column: number): boolean {
    const { width, height } = this.#size;
    const end = Math.min(row + rows, height) * width;
    let isMissing = false;
    for (let block = row * width + column; block < end; block += width) {
      if (this.#needed[block] <= done[block]) continue;
      isMissing = true;
      done[block] = 1;
    }
    return isMissing;
  }

  #rowAt(y: number): number {
    return Math.min(Math.max(Math.floor(y / BAND), 0), this.#size.height - 1);
  }

  /** Adds the blocks of a row of blocks between two columns of pixels. */
  #addBlocks(row: number, left: number, right: number): void {
    const most = this.#size.width - 1;
    const first = Math.min(Math.max(Math.floor(left / BLOCK), 0), most);
    const last = Math.min(Math.max(Math.floor(right / BLOCK), 0), most);
    for (let column = first; column <= last; column++) {
      const block = row * this.#size.width + column;
      if (this.#needed[block] === 1) continue;
      this.#needed[block] = 1;
      this.#rows.push(row);
    }
  }
}

/**
 * Yields what lies inside and next to an outline, in bands of a region from the top.
 * @param outline corners of a convex polygon
 */
export function* bandsWithin(region: Region, outline: readonly Point[]): Generator<Region> {
  const bottom = region.y + region.height;
  for (let y = region.y; y < bottom; y += BAND) {
    const height = Math.min(BAND, bottom - y);
    const { least, most } = extentOf(outline, y - MARGIN, y + height + MARGIN);
    const x = Math.max(region.x, Math.floor(least - MARGIN));
    const width = Math.min(region.x + region.width, Math.ceil(most + MARGIN)) - x;
    if (width > 0) yield { x, y, width, height };
  }
}

/** Returns the least and greatest x of the part of a polygon that lies between two rows. */
function extentOf(corners: readonly Point[], top: number, bottom: number) {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const [at, corner] of corners.entries()) {
    const next = corners[(at + 1) % corners.length];
    const [upper, lower] = corner.y < next.y ? [corner, next] : [next, corner];
    if (lower.y < top || upper.y > bottom) continue;
    const xAt = (y: number) =>
      lower.y === upper.y
        ? upper.x
        : upper.x + ((y - upper.y) / (lower.y - upper.y)) * (lower.x - upper.x);
    const level = lower.y === upper.y ? [lower.x] : [];
    const xs = [xAt(Math.max(top, upper.y)), xAt(Math.min(bottom, lower.y)), ...level];
    least = Math.min(least, ...xs);
    most = Math.max(most, ...xs);
  }
  return { least, most };
}
