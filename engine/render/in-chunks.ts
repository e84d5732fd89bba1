/** Takes any number of samples in kernel calls of one size. */

import type { Samples } from "../image/samples.ts";
import type { RenderContext } from "./context.ts";

/** Resolves with a sample for each position; alpha is present in all calls or in none. */
export type Sampler = (x: Float32Array, y: Float32Array) => Promise<Samples>;

/**
 * Takes `total` samples, with a checkpoint after each call.
 * @param place writes the positions of samples first … first + count − 1 to the front of x and y;
 * called in order
 */
export async function inChunks(
  context: RenderContext,
  total: number,
  place: (x: Float32Array, y: Float32Array, first: number, count: number) => void,
  sample: Sampler,
): Promise<Samples> {
  const { chunk } = context.runner;
  const x = new Float32Array(chunk);
  const y = new Float32Array(chunk);
  const colour = new Float32Array(total);
  let alpha: Float32Array | null = null;
  for (let first = 0; first < total; first += chunk) {
    const count = Math.min(chunk, total - first);
    place(x, y, first, count);
    const part = await sample(x, y);
    colour.set(part.colour.subarray(0, count), first);
    if (part.alpha !== null) {
      alpha ??= new Float32Array(total);
      alpha.set(part.alpha.subarray(0, count), first);
    }
    await context.checkpoint();
  }
  return { colour, alpha };
}
