/** Wood: long streaks along the grain, and growth rings. */
import { clouds, noise } from "../noise.ts";

/**
 * Returns the darkness of the grain, 0…1.
 * @param along millimetres along the grain
 * @param across millimetres across it
 * @param board any number; the boards differ by it
 */
export function grainOf(along: number, across: number, board: number): number {
  const bend = 9 * noise(along * 0.006 + 31 * board, across * 0.02);
  const rings = 0.5 + 0.5 * Math.sin(0.42 * (across + bend) + 5 * noise(across * 0.05, board));
  const streaks = clouds(along * 0.02 + 7 * board, across * 1.1, 3);
  const pores = noise(along * 0.12, across * 4 + 13 * board);
  return 0.34 * rings * noise(along * 0.004, across * 0.06 + board) + 0.5 * streaks + 0.2 * pores;
}
