/**
 * Continues a picture beyond its edges without adding symmetry: with unmirrored copies that each
 * start at a different offset, so that no translation maps the copies onto each other. Mirror images
 * would add mirrors that the group does not have (docs/adr/0036).
 */
import { continueAxis, firstMixFrom, type Mixes, mixesOf, type Run } from "./continued-axis.ts";
import { LIGHT_WORDS, writeLight } from "./light.ts";
import { type CopyLight, copierBetween, LEAST_PIXELS, type PixelRows } from "./light-copy.ts";
import { createRowMemory, ROW_PIXELS, ROWS, type RowMemory } from "./light-rows.ts";
import { mixRows, WHOLE_WEIGHT } from "./mix-light.ts";
import type { PackedImage, Region } from "./picture.ts";

/** What all pictures of a thread are made in, one after the other. */
let memory: RowMemory | undefined;
/** The number of the picture whose rows are there. */
let owner = 0;
let pictures = 0;

/** Row of the memory that is made. */
const MADE = 0;
/** Rows of what is mixed into columns. */
const NEAR = 1;
const FAR = 2;
/** Further rows hold rows of the picture that are mixed into others: each is read once for a few that follow each other. */
const FIRST_OTHER = 3;

/** Weights of a pixel into which nothing is mixed. */
const UNMIXED = [WHOLE_WEIGHT, 0, 0];

/** Mixed columns that lie side by side. */
interface Stretch {
  /** Of those that are shown. */
  readonly column: number;
  /** Number of the first mix. */
  readonly mix: number;
  readonly count: number;
  /** Where their weights are in the memory. */
  readonly weight: number;
}

/**
 * A rectangle of a picture, which is continued beyond its edges. It has methods in place of closures: V8 drops the
 * compiled code of a closure with the last one of its kind, and each render has its own.
 */
export class ContinuedPicture {
  readonly #picture: PackedImage;
  readonly #region: Region;
  readonly #runs: readonly Run[];
  readonly #mixedColumns: Mixes;
  readonly #mixedRows: Mixes;
  /** The mix of each row, or −1. */
  readonly #mixOfRow: Int32Array;
  /** The picture's row that each row shows. */
  readonly #pixelOfRow: Int32Array;
  readonly #number = ++pictures;
  /** The memory's rows for others, the one that was used the longest ago first. */
  readonly #places = Array.from({ length: ROWS - FIRST_OTHER }, (_, n) => FIRST_OTHER + n);
  /** The picture's row in each row of the memory; −1 where there is none. */
  readonly #rows = new Int32Array(ROWS).fill(-1);
  /** The columns that are shown. */
  #left = 0;
  #width = 0;
  readonly #stretches: Stretch[] = [];

  /** @param region whole pixels */
  constructor(picture: PackedImage, region: Region) {
    const shorter = Math.min(picture.width, picture.height);
    const across = continueAxis(region.x, region.width, picture.width, shorter);
    const down = continueAxis(region.y, region.height, picture.height, shorter);
    this.#picture = picture;
    this.#region = region;
    this.#runs = across.runs;
    this.#mixedColumns = mixesOf(across.fades, picture.width, shorter);
    this.#mixedRows = mixesOf(down.fades, picture.height, shorter);
    this.#mixOfRow = new Int32Array(region.height).fill(-1);
    for (const [mix, row] of this.#mixedRows.at.entries()) this.#mixOfRow[row] = mix;
    this.#pixelOfRow = new Int32Array(region.height);
    for (const { at, pixel, count } of down.runs) {
      for (let k = 0; k < count; k++) this.#pixelOfRow[at + k] = pixel + k;
    }
  }

  /** Writes the light of some of its pixels from pixel `start` on, to rows that are `length` pixels apart. */
  copy({ x, y, width, height }: Region, light: Int32Array, start: number, length: number): void {
    memory ??= createRowMemory();
    const { colour, alpha } = this.#picture;
    const copier = alpha === null && width >= LEAST_PIXELS ? copierBetween(colour, light) : null;
    const top = y - this.#region.y;
    for (let done = 0; done < width; done += ROW_PIXELS) {
      const count = Math.min(ROW_PIXELS, width - done);
      this.#showColumns(memory, x - this.#region.x + done, count);
      const made = memory.rows[MADE].subarray(0, LIGHT_WORDS * count);
      for (let row = 0; row < height; ) {
        const to = { start: start + done + row * length, length };
        let rows = copier === null ? 0 : this.#copyRows(copier, top + row, height - row, to);
        if (rows === 0) {
          this.#makeRow(memory, top + row);
          light.set(made, LIGHT_WORDS * to.start);
          rows = 1;
        }
        row += rows;
      }
    }
  }

  /** Copies the first rows of some into which nothing is mixed, if they show consecutive pixels. Returns how many. */
  #copyRows(copier: CopyLight, at: number, most: number, to: PixelRows): number {
    const run = this.#runs.find(
      (one) => one.at <= this.#left && one.at + one.count >= this.#left + this.#width,
    );
    if (run === undefined || this.#stretches.length > 0) return 0;
    const first = this.#pixelOfRow[at];
    let rows = 0;
    while (
      rows < most &&
      this.#mixOfRow[at + rows] < 0 &&
      this.#pixelOfRow[at + rows] === first + rows
    )
      rows++;
    const length = this.#picture.width;
    const start = first * length + run.pixel + this.#left - run.at;
    if (rows > 0) copier(this.#width, rows, { start, length }, to);
    return rows;
  }

  /** Prepares the memory for rows of some columns. */
  #showColumns({ weights }: RowMemory, left: number, width: number): void {
    if (owner === this.#number && left === this.#left && width === this.#width) return;
    owner = this.#number;
    this.#left = left;
    this.#width = width;
    this.#rows.fill(-1);
    this.#stretches.length = 0;
    const columns = this.#mixedColumns;
    const { at } = columns;
    const end = firstMixFrom(columns, left + width);
    // The first ones are those of a row.
    let weight = 3;
    for (let mix = firstMixFrom(columns, left); mix < end; ) {
      const first = mix;
      while (mix < end && at[mix] - at[first] === mix - first) mix++;
      this.#stretches.push({ column: at[first] - left, mix: first, count: mix - first, weight });
      weights.set(columns.weights.subarray(3 * first, 3 * mix), weight);
      weight += 3 * (mix - first);
      // If their number is odd the pixel after them is mixed, too, and stays as it is.
      weights.set(UNMIXED, weight);
      weight += 3;
    }
  }

  /** Makes a row in the memory. */
  #makeRow(memory: RowMemory, at: number): void {
    const mix = this.#mixOfRow[at];
    const { near, far, weights } = this.#mixedRows;
    const isOnlyReflected = mix >= 0 && weights[3 * mix] === 0;
    if (!isOnlyReflected) this.#readRow(memory, this.#pixelOfRow[at], MADE);
    if (mix < 0) return;
    const one = this.#placeOf(memory, near[mix]);
    const other = this.#placeOf(memory, far[mix]);
    for (let n = 0; n < 3; n++) memory.weights[n] = weights[3 * mix + n];
    this.#mix(memory, MADE, 0, one, other, this.#width, 0, 0);
  }

  /** Returns where a row of the picture is that is mixed into others: it is read once for a few that follow each other. */
  #placeOf(memory: RowMemory, row: number): number {
    const places = this.#places;
    let found = 0;
    for (let n = 0; n < places.length; n++) {
      if (this.#rows[places[n]] === row) found = n;
    }
    const place = places[found];
    // The one that was used last is the last to be replaced, so that two calls in a row leave both rows there.
    places.copyWithin(found, found + 1);
    places[places.length - 1] = place;
    if (this.#rows[place] !== row) {
      this.#readRow(memory, row, place);
      this.#rows[place] = row;
    }
    return place;
  }

  /** Writes the light of a row of the picture, continued across, to a row of the memory. */
  #readRow(memory: RowMemory, row: number, place: number): void {
    const { colours, rows, write } = memory;
    const { colour, alpha, width } = this.#picture;
    const light = rows[place];
    const left = this.#left;
    const right = left + this.#width;
    const first = row * width;
    for (const { at, pixel, count } of this.#runs) {
      const from = Math.max(at, left);
      const to = Math.min(at + count, right);
      if (from >= to) continue;
      const start = first + pixel + from - at;
      if (alpha === null) colours.set(colour.subarray(start, start + to - from), from - left);
      else writeLight(this.#picture, start, light, from - left, to - from);
    }
    if (alpha === null) write(place, this.#width);
    for (const stretch of this.#stretches) this.#mixColumns(memory, first, place, stretch);
  }

  /** Mixes pixels of the picture's row, which begins at pixel `first`, into columns of a row of the memory. */
  #mixColumns(
    memory: RowMemory,
    first: number,
    place: number,
    { column, mix, count, weight }: Stretch,
  ): void {
    const { near, far } = this.#mixedColumns;
    this.#readPixels(memory, first, near, mix, count, NEAR);
    this.#readPixels(memory, first, far, mix, count, FAR);
    this.#mix(memory, place, column, NEAR, FAR, count, weight, 3);
  }

  /** Writes the light of pixels of the picture, given by numbers from `first` on, to a row of the memory. */
  #readPixels(
    { colours, rows, write }: RowMemory,
    first: number,
    pixels: Int32Array,
    from: number,
    count: number,
    place: number,
  ): void {
    const picture = this.#picture;
    const { colour } = picture;
    if (picture.alpha === null) {
      for (let n = 0; n < count; n++) colours[n] = colour[first + pixels[from + n]];
      write(place, count);
      return;
    }
    for (let n = 0; n < count; n++)
      writeLight(picture, first + pixels[from + n], rows[place], n, 1);
  }

  /** `mix` of the memory, for pictures with alpha, too. */
  #mix(
    { rows, weights, mix }: RowMemory,
    into: number,
    start: number,
    near: number,
    far: number,
    count: number,
    weight: number,
    step: 0 | 3,
  ): void {
    if (this.#picture.alpha === null) mix(into, start, near, far, count, weight, step);
    else mixRows(rows[into], start, rows[near], rows[far], count, weights, weight, step, true);
  }
}
