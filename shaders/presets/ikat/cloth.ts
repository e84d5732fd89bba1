/** Properties of a cloth: slip, dye and sheen of its threads. */
import type { Linear } from "../../lib/colour.ts";
import { layout, numbersOf, type RecordOf, RGB, XY } from "../../lib/layout.ts";
import { between, pick, type Random } from "../../lib/random.ts";

/**
 * A cloth as the kernel reads it; lengths in edges of the picture. Five noises, the last a thread
 * wide: their waves, and what each adds to a thread's slip, tone and bareness.
 */
export const CLOTH = layout({
  across: 5,
  down: 5,
  slips: 5,
  tones: 5,
  bareness: 5,
  /** Where bareness begins and how much of it shows. */
  bareAt: 1,
  bareShown: 1,
  /** Shoots of the weft. */
  shoots: 1,
  warpLight: 1,
  weftLight: 1,
  /** How far dye runs. */
  bleeding: 1,
  repeats: XY,
  ground: RGB,
  bare: RGB,
});
export type ClothRecord = RecordOf<typeof CLOTH>;

export function clothTable(
  random: Random,
  repeats: readonly [number, number],
  ground: Linear,
  bare: Linear,
): Float32Array {
  const threads = pick(random, [197, 241, 293]);
  const across = [5, 19, 47, 113, threads];
  const down = [2, 2, 3, 3, 5];
  // Motifs of a short repeat would be lost under the slip that becomes a long one.
  const slip = between(random, 0.7, 1.5) * Math.min(1, 1.9 / repeats[1]);
  const slips = [0.008, 0.012, 0.016, 0.018, 0.026].map((amount) => amount * slip);
  const tones = [0.05, 0.05, 0.06, 0.08, 0.16];
  const bareness = [0.1, 0.2, 0.3, 0.4, 1];
  const light = { warpLight: 0.45, weftLight: 0.2 };
  const dye = { bareAt: 0.42, bareShown: 0.4, bleeding: 0.0012 };
  const noises = { across, down, slips, tones, bareness };
  const cloth = { ...noises, ...light, ...dye, shoots: 331, repeats, ground, bare };
  return Float32Array.from(numbersOf(cloth, CLOTH));
}
