/** Exact test for the side of a grid line on which a crossing of two others is. */

import { exactSines } from "./exact-sines.ts";
import type { LineGrid } from "./line-grid.ts";
import { OFFSET_STEPS } from "./line-grid.ts";

/** The crossing of a line of family r and one of family s. */
export interface Crossing {
  readonly r: number;
  readonly s: number;
  readonly rLine: number;
  readonly sLine: number;
}

/**
 * Returns a test of whether a crossing is past line k of family j, where x·e_j + γ_j > k. With e_j written
 * in terms of e_r and e_s, that is
 *     [(k_r − γ_r)·sin(s − j) + (k_s − γ_s)·sin(j − r) + (k − γ_j)·sin(r − s)] / sin(s − r) > 0
 * (sin of the angle between two directions). Offsets are integer numbers of steps, and the sines
 * have more bits than lines within REACH need.
 */
export function lineSides({ n, directions, offsets }: LineGrid) {
  const sines = exactSines(n);
  const sine = (from: number, to: number) => {
    const turn = directions[to] - directions[from];
    return sines[(turn + 2 * n) % (2 * n)];
  };
  const steps = offsets.map((offset) => BigInt(offset * OFFSET_STEPS));
  const place = (family: number, line: number) =>
    BigInt(line) * BigInt(OFFSET_STEPS) - steps[family];
  return ({ r, s, rLine, sLine }: Crossing, j: number, line: number): boolean => {
    const side =
      place(r, rLine) * sine(j, s) + place(s, sLine) * sine(r, j) + place(j, line) * sine(s, r);
    return side > 0n === sine(r, s) > 0n;
  };
}
