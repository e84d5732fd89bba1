/**
 * Which elements of a window weigh anything where: mostly the identity alone, or two of nine. Kernels sample
 * all elements that they are given, so pixels are sorted by what is mixed there.
 */
import { valueAt } from "./domain.ts";
import type { Piece } from "./unfold.ts";
import {
  type ElementSet,
  MAX_ELEMENTS,
  type SetGrid,
  type Window,
  type WindowElement,
} from "./window.ts";

/** Returns the indices of a set, ascending. */
export function indicesOf(set: ElementSet): number[] {
  const indices: number[] = [];
  for (let rest = set, index = 0; rest > 0; rest = Math.floor(rest / 2), index++) {
    if (rest % 2 === 1) indices.push(index);
  }
  return indices;
}

/** Called with pixels `from` … `to` − 1 of a piece and their set. Must not split another piece. */
type Emit = (from: number, to: number, set: ElementSet) => void;

/** Splits a piece where the elements that weigh anything change. Calls `emit` in order. */
export function splitBySets({ elements, grid }: Window, piece: Piece, emit: Emit): void {
  if (grid === undefined) splitByElements(elements, piece, emit);
  else splitByGrid(grid, piece, emit);
}

function splitByGrid({ min, side, width, height, sets }: SetGrid, piece: Piece, emit: Emit): void {
  const { stepX, stepY, count } = piece;
  const x = piece.x - min.x;
  const y = piece.y - min.y;
  let begin = 0;
  let last: ElementSet | undefined;
  for (let at = 0; at < count; ) {
    const column = Math.min(Math.max(Math.floor((x + at * stepX) / side), 0), width - 1);
    const row = Math.min(Math.max(Math.floor((y + at * stepY) / side), 0), height - 1);
    const set = sets[row * width + column];
    if (set !== last) {
      if (last !== undefined) emit(begin, at, last);
      begin = at;
      last = set;
    }
    const next = Math.min(leaving(x, stepX, column, side), leaving(y, stepY, row, side));
    at = Math.max(at + 1, next);
  }
  if (last !== undefined) emit(begin, count, last);
}

/** Returns the first pixel beyond a column of squares, or a row. */
function leaving(first: number, step: number, square: number, side: number): number {
  if (step === 0) return Number.POSITIVE_INFINITY;
  const border = step > 0 ? square + 1 : square;
  return Math.ceil((border * side - first) / step);
}

/**
 * Memory of `splitByElements`, which is called thousands of times a tile: first pixels, ends and indices of the elements
 * that weigh something in a part of a piece, and all ends in order.
 */
const froms = new Int32Array(MAX_ELEMENTS);
const tos = new Int32Array(MAX_ELEMENTS);
const indices = new Int32Array(MAX_ELEMENTS);
const ends = new Int32Array(2 * MAX_ELEMENTS + 1);

function splitByElements(elements: readonly WindowElement[], piece: Piece, emit: Emit): void {
  const { stepX, stepY, count } = piece;
  let everywhere = 0;
  let stretchCount = 0;
  let endCount = 0;
  for (let index = 0; index < elements.length; index++) {
    // The pixels where all functions are > 0.
    let from = 0;
    let to = count;
    const { where } = elements[index];
    for (let at = 0; at < where.length; at++) {
      const f = where[at];
      const value = valueAt(f, piece);
      const slope = f.x * stepX + f.y * stepY;
      if (slope > 0) from = Math.max(from, Math.floor(-value / slope) + 1);
      else if (slope < 0) to = Math.min(to, Math.ceil(-value / slope));
      else if (value <= 0) to = 0;
    }
    if (from >= to) continue;
    if (from === 0 && to === count) everywhere += 2 ** index;
    else {
      froms[stretchCount] = from;
      tos[stretchCount] = to;
      indices[stretchCount++] = index;
      endCount = insert(from, insert(to, endCount));
    }
  }
  endCount = insert(count, endCount);
  for (let at = 0, begin = 0; at < endCount; at++) {
    const end = ends[at];
    if (end === begin) continue;
    let set = everywhere;
    for (let stretch = 0; stretch < stretchCount; stretch++) {
      if (froms[stretch] <= begin && end <= tos[stretch]) set += 2 ** indices[stretch];
    }
    emit(begin, end, set);
    begin = end;
  }
}

/** Inserts an end into the `count` ascending ones, and returns how many there are now. */
function insert(end: number, count: number): number {
  let at = count;
  for (; at > 0 && ends[at - 1] > end; at--) ends[at] = ends[at - 1];
  ends[at] = end;
  return count + 1;
}
