/** Halftone screens: their grid on the pixels, and the growth of a dot. */

/** A screen whose coordinates of a point (x, y) are (p·x + q·y, p·y − q·x) / period, in cells. */
export interface Screen {
  readonly p: number;
  readonly q: number;
  readonly period: number;
}

/**
 * Returns the screen at `angle` degrees with cells of `cell` pixels. p and q are whole and small (a
 * rational tangent, Holladay 1979), so that p·x + q·y is exact in 24 bits on sheets of any size.
 */
export function screenAt(angle: number, cell: number): Screen {
  const turn = (angle * Math.PI) / 180;
  const [p, q] = [Math.round(58 * Math.cos(turn)), Math.round(58 * Math.sin(turn))];
  return { p, q, period: cell * Math.hypot(p, q) };
}

/**
 * A dot grows over its cell in the order of s(u, v) = 2 − c(u) − c(v), where c is a cosine made of
 * two parabolas, 1 in the middle of the cell and −1 at its edge: a circle, from half tones on a
 * circular hole (the Euclidean spot). Returns the share of the cell where s is below 0, 1/32, … 4;
 * 129 numbers. A tone's dot is where the share at s is below the tone, so its area is the tone.
 */
export function coverageRanks(): number[] {
  return Array.from({ length: 129 }, (_, index) => {
    let share = 0;
    for (let step = 0; step < STEPS; step++) {
      share += below(index / 32 - 1 + wave((step + 0.5) / STEPS / 2)) / STEPS;
    }
    return share;
  });
}

const STEPS = 512;

/** c at a distance from the middle of the cell, 0…½. */
function wave(distance: number): number {
  const p = 1 - 4 * distance;
  return p * (2 - Math.abs(p));
}

/** Share of the distances 0…½ where 1 − c is below `limit`. */
function below(limit: number): number {
  if (limit <= 0) return 0;
  if (limit >= 2) return 1;
  return limit < 1 ? Math.sqrt(limit) / 2 : 1 - Math.sqrt(2 - limit) / 2;
}
