/**
 * Which elements of a window weigh anything where: mostly the identity alone, or two of nine. Kernels sample
 * all elements that they are given, so pixels are sorted by what is mixed there.
 */
import { type AffineFunction, valueAt } from "./domain.ts";
import type { Piece } from "./unfold.ts";
import type { Window } from "./window.ts";

/** Some of a window's elements: the sum of 2ⁿ over their indices n, of which there are at most 53. */
export type ElementSet = number;

/** Returns the indices of a set, ascending. */
export function indicesOf(set: ElementSet): number[] {
  const indices: number[] = [];
  for (let rest = set, index = 0; rest > 0; rest = Math.floor(rest / 2), index++) {
    if (rest % 2 === 1) indices.push(index);
  }
  return indices;
}

/**
 * Splits a piece where the elements that weigh anything change.
 * @param emit called with pixels `from` … `to` − 1 of the piece and their set, in order
 */
export function splitBySets(
  { elements }: Window,
  piece: Piece,
  emit: (from: number, to: number, set: ElementSet) => void,
): void {
  const stretches: { readonly from: number; readonly to: number; readonly bit: number }[] = [];
  const ends = [piece.count];
  let everywhere = 0;
  for (const [index, { where }] of elements.entries()) {
    const { from, to } = stretchOf(where, piece);
    if (from >= to) continue;
    if (from === 0 && to === piece.count) everywhere += 2 ** index;
    else {
      stretches.push({ from, to, bit: 2 ** index });
      ends.push(from, to);
    }
  }
  let begin = 0;
  for (const end of ends.sort((a, b) => a - b)) {
    if (end === begin) continue;
    let set = everywhere;
    for (const { from, to, bit } of stretches) if (from <= begin && end <= to) set += bit;
    emit(begin, end, set);
    begin = end;
  }
}

/** Returns pixels `from` … `to` − 1 of a piece: those where all functions are > 0. */
function stretchOf(where: readonly AffineFunction[], { point, step, count }: Piece) {
  let from = 0;
  let to = count;
  for (const f of where) {
    const value = valueAt(f, point);
    const slope = f.x * step.x + f.y * step.y;
    if (slope > 0) from = Math.max(from, Math.floor(-value / slope) + 1);
    else if (slope < 0) to = Math.min(to, Math.ceil(-value / slope));
    else if (value <= 0) to = 0;
  }
  return { from, to };
}
