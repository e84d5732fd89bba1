/**
 * Kernel for pixels that need a single sample of an opaque source: inside the fundamental domain,
 * nearly all of them. It returns the same bits as the orbit kernel with one element, in half
 * the time.
 */

import type { Kernel } from "./kernel.ts";
import type { RecordOf } from "./lib/layout.ts";
import { packLight } from "./lib/pack.ts";
import { SOURCE, type SourceThis, sampleSource } from "./lib/source.ts";
import { stages } from "./lib/stages.ts";
import { ELEMENT, type ElementRecord } from "./orbit.ts";

/**
 * One sample.
 * @param x, y positions in the fundamental domain, relative to its centre, in cell edges
 * @param elements of a window, of which the first one's map to the source is read
 */
function singleSample(
  this: SourceThis,
  x: Float32Array,
  y: Float32Array,
  elements: readonly ElementRecord[],
  source: RecordOf<typeof SOURCE>,
): number {
  const { a, b, c, d, e, f } = elements[0];
  const px = x[this.thread.x];
  const py = y[this.thread.x];
  const { red, green, blue } = sampleSource(
    this.constants.colours,
    this.constants.alphas,
    0,
    a * px + b * py + e,
    c * px + d * py + f,
    source,
  );
  return packLight({ red, green, blue });
}

/** One sample a pixel. */
export const singleSampleKernel: Kernel = {
  run: singleSample,
  helpers: [...stages],
  records: { elements: ELEMENT, source: SOURCE },
};
