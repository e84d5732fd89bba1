/** A tone curve that keeps hues. */
import type { KernelThis } from "../../kernel.ts";

/**
 * The curve is read for the largest and the smallest channel, and the middle one keeps its place
 * between them: so a colour keeps its HSV hue, where three curves by themselves would turn
 * oranges yellow. That is how the DNG specification applies its tone curve (Adobe, DNG SDK,
 * `RefBaselineRGBTone`). Nothing leaves the gamut, and greys stay grey.
 * @param curve encoded values 0…255 for the bytes 0…255
 */
export function applyTone(this: KernelThis, colour: Float32Array, curve: Float32Array): number {
  const packed = colour[this.thread.x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  const most = Math.max(Math.max(red, green), blue);
  const least = Math.min(Math.min(red, green), blue);
  const floor = curve[least];
  const stretch = (curve[most] - floor) / Math.max(most - least, 1);
  return (
    Math.floor(floor + (red - least) * stretch + 0.5) * 65536 +
    Math.floor(floor + (green - least) * stretch + 0.5) * 256 +
    Math.floor(floor + (blue - least) * stretch + 0.5)
  );
}
