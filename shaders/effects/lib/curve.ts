/** A curve for each channel by itself: the same table of 256 values for red, green and blue. */
import type { KernelThis } from "../../kernel.ts";

/** Looks the three channels up; `curve` gives encoded values 0…255 for the bytes 0…255. */
export function applyCurve(this: KernelThis, colour: Float32Array, curve: Float32Array): number {
  const packed = colour[this.thread.x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  return (
    Math.floor(curve[red] + 0.5) * 65536 +
    Math.floor(curve[green] + 0.5) * 256 +
    Math.floor(curve[blue] + 0.5)
  );
}

/** The table of a function from encoded values 0…1 to encoded values 0…1; what leaves 0…1 is clipped. */
export function curveOf(change: (value: number) => number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, byte) => {
    const changed = change(byte / 255);
    return 255 * Math.min(Math.max(changed, 0), 1);
  });
}
