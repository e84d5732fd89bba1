/**
 * Which elements of a window weigh anything where: mostly the identity alone, or two of nine. Kernels sample
 * all elements that they are given, so pixels are sorted by what is mixed there.
 */
import { valueAt } from "./domain.ts";
import type { Piece } from "./unfold.ts";
import type { ElementSet, SetGrid, Window, WindowElement } from "./window.ts";

/** Returns the indices of a set, ascending. */
export function indicesOf(set: ElementSet): number[] {
  const indices: number[] = [];
  for (let rest = set, index = 0; rest > 0; rest = Math.floor(rest / 2), index++) {
    if (rest % 2 === 1) indices.push(index);
  }
  return indices;
}

/** Called with pixels `from` … `to` − 1 of a piece and their set. */
type Emit = (from: number, to: number, set: ElementSet) => void;

/** Splits a piece where the elements that weigh anything change. Calls `emit` in order. */
export function splitBySets({ elements, grid }: Window, piece: Piece, emit: Emit): void {
  if (grid === undefined) splitByElements(elements, piece, emit);
  else splitByGrid(grid, piece, emit);
}

function splitByGrid(
  { min, side, width, height, sets }: SetGrid,
  { point, step, count }: Piece,
  emit: Emit,
): void {
  const x = point.x - min.x;
  const y = point.y - min.y;
  let begin = 0;
  let last: ElementSet | undefined;
  for (let at = 0; at < count; ) {
    const column = Math.min(Math.max(Math.floor((x + at * step.x) / side), 0), width - 1);
    const row = Math.min(Math.max(Math.floor((y + at * step.y) / side), 0), height - 1);
    const set = sets[row * width + column];
    if (set !== last) {
      if (last !== undefined) emit(begin, at, last);
      begin = at;
      last = set;
    }
    const next = Math.min(leaving(x, step.x, column, side), leaving(y, step.y, row, side));
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

function splitByElements(
  elements: readonly WindowElement[],
  { point, step, count }: Piece,
  emit: Emit,
): void {
  /** Of each element that weighs anything somewhere, but not everywhere: first pixel, end and bit. */
  const stretches: number[] = [];
  const ends = [count];
  let everywhere = 0;
  for (let index = 0; index < elements.length; index++) {
    // The pixels where all functions are > 0.
    let from = 0;
    let to = count;
    for (const f of elements[index].where) {
      const value = valueAt(f, point);
      const slope = f.x * step.x + f.y * step.y;
      if (slope > 0) from = Math.max(from, Math.floor(-value / slope) + 1);
      else if (slope < 0) to = Math.min(to, Math.ceil(-value / slope));
      else if (value <= 0) to = 0;
    }
    if (from >= to) continue;
    if (from === 0 && to === count) everywhere += 2 ** index;
    else {
      stretches.push(from, to, 2 ** index);
      ends.push(from, to);
    }
  }
  let begin = 0;
  for (const end of ends.sort((a, b) => a - b)) {
    if (end === begin) continue;
    let set = everywhere;
    for (let at = 0; at < stretches.length; at += 3) {
      if (stretches[at] <= begin && end <= stretches[at + 1]) set += stretches[at + 2];
    }
    emit(begin, end, set);
    begin = end;
  }
}
