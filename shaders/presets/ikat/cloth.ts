/** How a cloth is woven: how its threads slip, take dye and catch light. */
import type { Linear } from "../../lib/colour.ts";
import { between, pick, type Random } from "../../lib/random.ts";

/**
 * What the kernel reads of a cloth: five noises' waves across and down, what each adds to a
 * thread's slip, tone and bareness; where bareness begins and how much shows; shoots of the weft;
 * light on warp and weft; bleeding of the dye; repeats; then the ground's and the bare thread's
 * colours. Lengths in edges of the picture.
 */
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
  const look = [across, down, slips, tones, bareness, 0.42, 0.4, 331, 0.45, 0.2, 0.0012];
  return Float32Array.from([...look, repeats, ground, bare].flat());
}
