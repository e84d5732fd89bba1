/** Grids of lines for de Bruijn's tilings (see multigrid.ts), with regular offsets from a seed. */

import { type Random, randomSequence } from "../../shaders/lib/random.ts";

/** Families of lines; all directions together look alike along both axes: Σ e_j e_jᵀ = (m/2)·1. */
export interface LineGrid {
  /** Angles are multiples of π/n. */
  readonly n: number;
  /** The angle of each of the m vectors e_j, in 0 … 2n − 1; no two are parallel. */
  readonly directions: readonly number[];
  /** γ_j, regular as from `gridOffsets`. */
  readonly offsets: readonly number[];
}

/** Offsets are multiples of 1/OFFSET_STEPS, which exact arithmetic represents as integers. */
export const OFFSET_STEPS = 2 ** 30;

/** Integer factors of the linear relations to exclude; see `isRegular`. */
const FACTORS = [-2, -1, 0, 1, 2];

/**
 * Returns an offset for each family, 0 ≤ x < 1. With `whole` the last offset makes the sum 0, as the
 * Penrose tilings need. No three lines of different families meet in a point.
 */
export function gridOffsets(families: number, seed: number, whole = false): number[] {
  const random = randomSequence(seed);
  for (;;) {
    const offsets = Array.from({ length: families }, () => stepped(random));
    if (whole) {
      const others = offsets.slice(0, -1);
      offsets[families - 1] = -others.reduce((total, offset) => total + offset, 0);
    }
    if (isRegular(offsets)) return offsets;
  }
}

const stepped = (random: Random) => Math.floor(random() * OFFSET_STEPS) / OFFSET_STEPS;

/**
 * Whether no three lines can meet. Three lines k − γ of families at multiples of π/n meet where the
 * sum of (k − γ)·sin(…) of three angles is 0. The three sines are independent over the rational
 * numbers, or satisfy linear relations with factors ±1 and ±2; so it is enough that no sum of three
 * offsets with such factors is an integer.
 */
function isRegular(offsets: readonly number[]): boolean {
  return offsets.every((a, i) =>
    offsets.slice(0, i).every((b, j) =>
      offsets.slice(0, j).every((c) =>
        FACTORS.every((p) =>
          FACTORS.every((q) =>
            FACTORS.every((r) => {
              const tied = p === 0 && q === 0 && r === 0;
              return tied || !Number.isInteger(p * a + q * b + r * c);
            }),
          ),
        ),
      ),
    ),
  );
}
