/** The noise terms of a field. */

import { layout, numbersOf, type RecordOf, XY } from "../../lib/layout.ts";
import { type Random, whole } from "../../lib/random.ts";

/** One noise. Frequencies are whole numbers, so that it repeats. */
export interface Term {
  readonly across: number;
  readonly down: number;
  /** By how much it moves what is read after it, in edges of the picture. */
  readonly warp?: readonly [number, number];
  /** What it is added to, with its weight. */
  readonly level?: number;
  readonly tint?: number;
  readonly ray?: number;
}

/** A noise as the kernel reads it; `offset` is its place in the permutation. */
export const TERM = layout({ across: 1, down: 1, offset: 1, warp: XY, level: 1, tint: 1, ray: 1 });
export type TermRecord = RecordOf<typeof TERM>;

/** Terms as numbers, each with a place in the permutation of its own. */
export function termTable(random: Random, terms: readonly Term[]): Float32Array {
  return Float32Array.from(
    terms.flatMap((term) =>
      numbersOf(
        { warp: [0, 0], level: 0, tint: 0, ray: 0, ...term, offset: whole(random, 0, 3500) },
        TERM,
      ),
    ),
  );
}

/** Moves across and down on some lattices, the coarse ones first and farthest. */
export function warps(frequencies: readonly number[], strength: number): Term[] {
  return frequencies.flatMap((frequency) => {
    const both = { across: frequency, down: frequency };
    const far = strength / frequency;
    return [
      { ...both, warp: [far, 0] as const },
      { ...both, warp: [0, far] as const },
    ];
  });
}
