/** Offsets of the families of grid lines, drawn from a seed. */

import { type Random, randomSequence } from "../../shaders/lib/random.ts";

/** Offsets are multiples of 1/OFFSET_STEPS, so that exact arithmetic can take them as they are. */
export const OFFSET_STEPS = 2 ** 30;

/** Whole multiples in which three offsets may be tied where three lines meet; see `isRegular`. */
const FACTORS = [-2, -1, 0, 1, 2];

/**
 * One offset for each family, 0 ≤ x < 1 for all but the last one where `whole` is set: then the sum
 * of all is 0, as the Penrose tilings need. No three lines of different families meet in a point.
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
 * numbers, or they are tied by equations with factors ±1 and ±2; so it is enough that no sum of
 * three offsets with such factors is a whole number.
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
