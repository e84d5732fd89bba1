/** Applies a tone curve that keeps hues. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { packRounded, unpack } from "../../lib/pack.ts";
import { stages } from "../../lib/stages.ts";

/**
 * The curve maps the largest and the smallest channel, and the middle one keeps its relative position
 * between them: colours keep their HSV hue, whereas a curve for each channel would turn
 * oranges yellow. That is how the DNG specification applies its tone curve (Adobe, DNG SDK,
 * `RefBaselineRGBTone`). Nothing leaves the gamut, and greys stay grey.
 * @param curve encoded values 0…255 for the bytes 0…255
 */
function applyTone(this: KernelThis, colour: Float32Array, curve: Float32Array): number {
  const { red, green, blue } = unpack(colour[this.thread.x]);
  const most = Math.max(Math.max(red, green), blue);
  const least = Math.min(Math.min(red, green), blue);
  const floor = curve[least];
  const stretch = (curve[most] - floor) / Math.max(most - least, 1);
  return packRounded(
    floor + (red - least) * stretch,
    floor + (green - least) * stretch,
    floor + (blue - least) * stretch,
  );
}

export const toneKernel: Kernel = { run: applyTone, helpers: [...stages] };
