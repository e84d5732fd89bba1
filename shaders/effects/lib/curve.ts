/** A curve for each channel by itself: the same table of 256 values for red, green and blue. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { packRounded, unpack } from "../../lib/pack.ts";
import { stages } from "../../lib/stages.ts";

/** Looks the three channels up; `curve` gives encoded values 0…255 for the bytes 0…255. */
function applyCurve(this: KernelThis, colour: Float32Array, curve: Float32Array): number {
  const { red, green, blue } = unpack(colour[this.thread.x]);
  return packRounded(curve[red], curve[green], curve[blue]);
}

export const curveKernel: Kernel = { run: applyCurve, helpers: [...stages] };

/** The table of a function from encoded values 0…1 to encoded values 0…1; what leaves 0…1 is clipped. */
export function curveOf(change: (value: number) => number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, byte) => {
    const changed = change(byte / 255);
    return 255 * Math.min(Math.max(changed, 0), 1);
  });
}
