/** Applies one curve, a table of 256 values, to each channel separately. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { packRounded, unpack } from "../../lib/pack.ts";
import { stages } from "../../lib/stages.ts";

/** Maps the three channels; `curve` has encoded values 0…255 for the bytes 0…255. */
function applyCurve(this: KernelThis, colour: Float32Array, curve: Float32Array): number {
  const { red, green, blue } = unpack(colour[this.thread.x]);
  return packRounded(curve[red], curve[green], curve[blue]);
}

export const curveKernel: Kernel = { run: applyCurve, helpers: [...stages] };

/** Returns the table of a function from encoded values 0…1 to encoded values, clipped to 0…1. */
export function curveOf(change: (value: number) => number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, byte) => {
    const changed = change(byte / 255);
    return 255 * Math.min(Math.max(changed, 0), 1);
  });
}
