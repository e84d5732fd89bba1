/** Samples of a scene at the pixels' centres, some rows at a time. */
import { emptyFragment } from "../../scenes/fragment.ts";
import { type Fragment, MOCKUP_SIZE, type Scene } from "../../scenes/scene.ts";
import type { Outline } from "./outline.ts";

/** Additional rows above and below. */
const MARGIN = 2;

/** Numbers of a pixel: red, green, blue, mask, u, v, shading, highlight, and two tones. */
export const STRIDE = 10;

/** Tones are square roots of light, about perceptual: of a white print, and of everything else. */
export const PRINT_TONE = 8;
export const BARE_TONE = 9;

/** The 8 neighbours of a pixel, the nearest first. */
const AROUND = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;

/** Side of the part of a pixel that one of its many samples represents. */
const PART = 0.5;

export interface Frame {
  /** Pixels of the picture's side. */
  readonly size: number;
  /** Pieces and numbers of the current rows, indexed by `at`. */
  readonly pieces: Int32Array;
  readonly numbers: Float64Array;
  /** Index of a pixel of the current rows or their margins. */
  at(x: number, y: number): number;
  /** Samples rows first … first + count − 1 and their margins; called from the top down. */
  sample(first: number, count: number): void;
  read(x: number, y: number, into: Fragment): void;
  /** Writes a pixel's footprint on the print, from its neighbours on the same piece. */
  outline(x: number, y: number, into: Outline): void;
  /**
   * Writes the footprint of a quarter of a pixel on a piece that may cover only a part of it: from
   * the pixel or a neighbour that shows the piece; a point if there is none.
   */
  outlineNear(x: number, y: number, piece: number, into: Outline): void;
}

/** Creates a frame of up to `rows` rows. */
export function createFrame(scene: Scene, size: number, rows: number): Frame {
  const scale = MOCKUP_SIZE / size;
  const bufferedRows = rows + 2 * MARGIN;
  const pieces = new Int32Array(bufferedRows * size);
  const numbers = new Float64Array(bufferedRows * size * STRIDE);
  const fragment = emptyFragment();
  let next = 0;
  // A ring buffer: rows that two bands share stay in place.
  const at = (x: number, y: number) => (y % bufferedRows) * size + x;

  const sampleRow = (y: number) => {
    for (let x = 0, i = at(0, y), k = i * STRIDE; x < size; x++, i++, k += STRIDE) {
      scene.sample((x + 0.5) * scale, (y + 0.5) * scale, fragment);
      pieces[i] = fragment.piece;
      numbers[k] = fragment.red;
      numbers[k + 1] = fragment.green;
      numbers[k + 2] = fragment.blue;
      numbers[k + 3] = fragment.mask;
      numbers[k + 4] = fragment.u;
      numbers[k + 5] = fragment.v;
      numbers[k + 6] = fragment.shading;
      numbers[k + 7] = fragment.highlight;
      const { mask } = fragment;
      const bare = ((1 - mask) * (2 * fragment.red + 3 * fragment.green + fragment.blue)) / 6;
      numbers[k + PRINT_TONE] = Math.sqrt(mask * (fragment.shading + fragment.highlight));
      numbers[k + BARE_TONE] = Math.sqrt(Math.max(0, bare));
    }
  };

  /** Step of u or v between pixels on one piece: the mean of the available differences. */
  const slope = (i: number, before: number, after: number, k: 4 | 5): number => {
    const here = numbers[i * STRIDE + k];
    const last = before >= 0 && pieces[before] === pieces[i];
    const following = after >= 0 && pieces[after] === pieces[i];
    const back = last ? here - numbers[before * STRIDE + k] : 0;
    const forth = following ? numbers[after * STRIDE + k] - here : 0;
    return last && following ? 0.5 * (back + forth) : back + forth;
  };

  const outline = (x: number, y: number, into: Outline) => {
    const i = at(x, y);
    const left = x > 0 ? i - 1 : -1;
    const right = x < size - 1 ? i + 1 : -1;
    const above = y > 0 ? at(x, y - 1) : -1;
    const below = y < size - 1 ? at(x, y + 1) : -1;
    into.ux = slope(i, left, right, 4);
    into.vx = slope(i, left, right, 5);
    into.uy = slope(i, above, below, 4);
    into.vy = slope(i, above, below, 5);
  };

  /** Returns the nearest pixel that shows a piece: this one, one of its 8 neighbours, or -1. */
  const nearest = (x: number, y: number, piece: number): number => {
    if (pieces[at(x, y)] === piece) return y * size + x;
    for (const [dx, dy] of AROUND) {
      const [column, row] = [x + dx, y + dy];
      const within = column >= 0 && column < size && row >= 0 && row < size;
      if (within && pieces[at(column, row)] === piece) return row * size + column;
    }
    return -1;
  };

  return {
    size,
    pieces,
    numbers,
    at,
    sample(first, count) {
      for (; next < Math.min(size, first + count + MARGIN); next++) sampleRow(next);
    },
    read(x, y, into) {
      const i = at(x, y);
      const k = i * STRIDE;
      into.piece = pieces[i];
      into.red = numbers[k];
      into.green = numbers[k + 1];
      into.blue = numbers[k + 2];
      into.mask = numbers[k + 3];
      into.u = numbers[k + 4];
      into.v = numbers[k + 5];
      into.shading = numbers[k + 6];
      into.highlight = numbers[k + 7];
    },
    outline,
    outlineNear(x, y, piece, into) {
      const wanted = nearest(x, y, piece);
      if (wanted >= 0) outline(wanted % size, Math.floor(wanted / size), into);
      const share = wanted >= 0 ? PART : 0;
      into.ux *= share;
      into.uy *= share;
      into.vx *= share;
      into.vy *= share;
    },
  };
}
