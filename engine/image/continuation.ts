/**
 * Continues a picture beyond its edges without adding symmetry: with unmirrored copies that each
 * start at a different offset, so that no translation maps the copies onto each other. Mirror images
 * would add mirrors that the group does not have (docs/adr/0036).
 */
import type { Size } from "../size.ts";
import { LIGHT_WORDS, writeLight } from "./light.ts";
import {
  firstMixFrom,
  type Mixes,
  mixColumns,
  mixRows,
  sliceOf,
  WEIGHT_BITS,
} from "./mix-light.ts";
import type { PackedImage, Region } from "./picture.ts";

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
  readonly count: number;
}

/** Consecutive positions next to the start of a copy, which the reflection fades into. */
interface Fade {
  readonly at: number;
  readonly count: number;
  /** Distance of the first position from the start of its copy, in whole pixels. */
  readonly away: number;
  /** Change of that distance along the axis: 1 after the picture, −1 before it. */
  readonly step: 1 | -1;
}

/** Source pixels of consecutive positions along one axis. */
interface ContinuedAxis {
  readonly runs: readonly Run[];
  /** Ordered by `at`. */
  readonly fades: readonly Fade[];
}

/**
 * Returns the source pixels of `count` positions from `start`, on an axis of `size` pixels.
 * @param shorter the picture's shorter side in pixels
 */
function continueAxis(start: number, count: number, size: number, shorter: number): ContinuedAxis {
  const end = start + count;
  const faded = Math.ceil(FADE_TO * shorter);
  const runs: Run[] = [];
  const before: Fade[] = [];
  const after: Fade[] = [];
  const add = (first: number, last: number, pixelOfFirst: number) => {
    const from = Math.max(first, start);
    const to = Math.min(last, end);
    if (from < to)
      runs.push({ at: from - start, pixel: pixelOfFirst + from - first, count: to - from });
  };
  add(0, size, 0);
  // Copies at equal distances before and after the picture mirror each other.
  for (let copy = 0, near = 0; near < Math.max(-start, end - size); copy++) {
    const leftOut = leftOutOf(copy, size);
    const far = near + size - leftOut;
    add(-far, -near, 0);
    add(size + near, size + far, leftOut);
    const last = Math.min(far, near + faded);
    const [from, to] = [Math.max(-last, start), Math.min(-near, end)];
    if (from < to) {
      before.unshift({ at: from - start, count: to - from, away: -1 - from - near, step: -1 });
    }
    const [first, stop] = [Math.max(size + near, start), Math.min(size + last, end)];
    if (first < stop) {
      after.push({ at: first - start, count: stop - first, away: first - size - near, step: 1 });
    }
    near = far;
  }
  return { runs, fades: [...before, ...after] };
}

/** Returns the pixels that a copy skips at its start. */
function leftOutOf(copy: number, size: number): number {
  const spread = (MAX_LEFT_OUT - MIN_LEFT_OUT) * ((copy * GOLDEN) % 1);
  return Math.floor((MIN_LEFT_OUT + spread) * size);
}

/** Returns how many pixels deep the reflection is at a distance from the start of a copy. */
const depthAt = (away: number) => Math.max(0, (away + 0.5) / STRETCH - 0.5);

/** Returns the pixel at a depth from the end after which a copy begins. */
const reflectedPixel = (depth: number, { step }: Fade, size: number) =>
  step === 1 ? Math.max(0, size - 1 - depth) : Math.min(size - 1, depth);

const WHOLE = 1 << WEIGHT_BITS;

/** Returns what is mixed into the positions of fades. */
function mixesOf(fades: readonly Fade[], size: number, shorter: number): Mixes {
  const most = fades.reduce((sum, { count }) => sum + count, 0);
  const mixes = {
    at: new Int32Array(most),
    near: new Int32Array(most),
    far: new Int32Array(most),
    weights: new Int32Array(3 * most),
  };
  let made = 0;
  for (const fade of fades) {
    for (let k = 0, away = fade.away; k < fade.count; k++, away += fade.step) {
      const share = reflectionShare((away + 0.5) / shorter);
      if (share === 0) continue;
      const depth = depthAt(away);
      const near = Math.floor(depth);
      const between = depth - near;
      mixes.at[made] = fade.at + k;
      mixes.near[made] = reflectedPixel(near, fade, size);
      mixes.far[made] = reflectedPixel(near + 1, fade, size);
      const ofNear = Math.round(share * (1 - between) * WHOLE);
      const ofFar = Math.round(share * between * WHOLE);
      mixes.weights.set([WHOLE - ofNear - ofFar, ofNear, ofFar], 3 * made);
      made++;
    }
  }
  return sliceOf(mixes, 0, made);
}

/** Returns the weight of the reflection at a distance from an edge; 1 at the edge. */
function reflectionShare(distance: number): number {
  const t = Math.min(1, Math.max(0, (distance - FADE_FROM) / (FADE_TO - FADE_FROM)));
  return 1 - t * t * (3 - 2 * t);
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
    const show = (first: number, last: number) =>
      blocks.fill(1, Math.floor(first / side), Math.floor(last / side) + 1);
    const { runs, fades } = continueAxis(start, count, size, shorter);
    for (const { pixel, count } of runs) show(pixel, pixel + count - 1);
    for (const fade of fades) {
      const ends = [fade.away, fade.away + (fade.count - 1) * fade.step].map(depthAt);
      const pixels = [Math.floor(Math.min(...ends)), Math.floor(Math.max(...ends)) + 1].map(
        (depth) => reflectedPixel(depth, fade, size),
      );
      show(Math.min(...pixels), Math.max(...pixels));
    }
    return blocks;
  };
  return {
    columns: shown(region.x, region.width, width),
    rows: shown(region.y, region.height, height),
  };
}

/** Rows that are mixed into others: each is read once and mixed into a few that follow each other. */
const OTHER_ROWS = 4;

/** A row of light, and its number in the picture; −1 while there is none. */
interface OtherRow {
  row: number;
  readonly light: Int32Array;
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
  /** The one that was used the longest ago comes first. */
  readonly #others: OtherRow[];
  /** The columns of `#others`, and what is mixed into them. */
  #left = 0;
  #width = 0;
  #firstMix = 0;
  #endOfMixes = 0;

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
    this.#others = Array.from({ length: this.#mixedRows.at.length > 0 ? OTHER_ROWS : 0 }, () => ({
      row: -1,
      light: new Int32Array(LIGHT_WORDS * region.width),
    }));
  }

  /** Writes the light of some of its pixels from pixel `start` on, to rows that are `length` pixels apart. */
  copy({ x, y, width, height }: Region, light: Int32Array, start: number, length: number): void {
    const left = x - this.#region.x;
    if (left !== this.#left || width !== this.#width) {
      this.#left = left;
      this.#width = width;
      this.#firstMix = firstMixFrom(this.#mixedColumns, left);
      this.#endOfMixes = firstMixFrom(this.#mixedColumns, left + width);
      for (const other of this.#others) other.row = -1;
    }
    const top = y - this.#region.y;
    for (let row = 0; row < height; row++) this.#copyRow(top + row, light, start + row * length);
  }

  #copyRow(at: number, light: Int32Array, start: number): void {
    const mix = this.#mixOfRow[at];
    const { near, far, weights } = this.#mixedRows;
    const isOnlyReflected = mix >= 0 && weights[3 * mix] === 0;
    if (!isOnlyReflected) this.#readRow(this.#pixelOfRow[at], light, start);
    if (mix < 0) return;
    const one = this.#otherRow(near[mix]);
    const other = this.#otherRow(far[mix]);
    const hasAlpha = this.#picture.alpha !== null;
    mixRows(light, start, one, other, this.#width, this.#mixedRows, mix, hasAlpha);
  }

  /** Returns the light of a row of the picture that is mixed into others. */
  #otherRow(row: number): Int32Array {
    const others = this.#others;
    let found = 0;
    for (let at = 0; at < others.length; at++) {
      if (others[at].row === row) found = at;
    }
    const other = others[found];
    // It is the last one to be read again, so that two that are asked for one after the other are both there.
    others.copyWithin(found, found + 1);
    others[others.length - 1] = other;
    if (other.row !== row) {
      other.row = row;
      this.#readRow(row, other.light, 0);
    }
    return other.light;
  }

  /** Writes the light of a row of the picture, continued across, from pixel `start` on. */
  #readRow(row: number, light: Int32Array, start: number): void {
    const picture = this.#picture;
    const left = this.#left;
    const right = left + this.#width;
    const first = row * picture.width;
    for (const { at, pixel, count } of this.#runs) {
      const from = Math.max(at, left);
      const to = Math.min(at + count, right);
      if (from < to) {
        writeLight(picture, first + pixel + from - at, light, start + from - left, to - from);
      }
    }
    const columns = this.#mixedColumns;
    mixColumns(light, start - left, picture, first, columns, this.#firstMix, this.#endOfMixes);
  }
}
