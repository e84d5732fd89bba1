/** The noise terms of a stone. */

import { layout, numbersOf, type RecordOf, XY } from "../../lib/layout.ts";
import { type Random, whole } from "../../lib/random.ts";

/** One noise of the stone. Frequencies are whole numbers, so that it repeats. */
export interface Term {
  readonly across: number;
  readonly down: number;
  /** Whole shears of the lattice: they let veins run aslant and still repeat. */
  readonly shear?: readonly [number, number];
  /** What the noise is added to, with its weight. */
  readonly warp?: readonly [number, number];
  readonly cloud?: number;
  readonly broad?: number;
  readonly thin?: number;
  readonly hair?: number;
  readonly mask?: number;
  readonly speck?: number;
}

/** A noise as the kernel reads it; `offset` is its place in the permutation. */
export const TERM = layout({
  across: 1,
  down: 1,
  shear: XY,
  offset: 1,
  warp: XY,
  cloud: 1,
  broad: 1,
  thin: 1,
  hair: 1,
  mask: 1,
  speck: 1,
});
export type TermRecord = RecordOf<typeof TERM>;

const NOTHING = {
  shear: [0, 0],
  warp: [0, 0],
  cloud: 0,
  broad: 0,
  thin: 0,
  hair: 0,
  mask: 0,
  speck: 0,
};

/** Terms as numbers, each with a place in the permutation of its own. */
export function termTable(random: Random, terms: readonly Term[]): Float32Array {
  return Float32Array.from(
    terms.flatMap((term) =>
      numbersOf({ ...NOTHING, ...term, offset: whole(random, 0, 3500) }, TERM),
    ),
  );
}

/** Warps from coarse to fine; a stone flows as strongly as `flow`. */
export function warps(flow: number): Term[] {
  return [
    [2, 0.13],
    [4, 0.07],
    [9, 0.026],
    [19, 0.013],
    [41, 0.0055],
  ].flatMap(([frequency, amount]) => {
    const turn = amount * flow;
    const both = { across: frequency, down: frequency };
    return [
      { ...both, warp: [turn, 0] as const },
      { ...both, warp: [0, turn] as const },
    ];
  });
}
