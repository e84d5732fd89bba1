/** Maps lightness to colours, ignoring hue. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import type { Linear } from "../../lib/colour.ts";
import { packRgb, packRounded, unpack } from "../../lib/pack.ts";
import { mix } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { LINEAR } from "./linear-table.ts";
import { decoded, oklabOf, oklabStages } from "./oklab.ts";

/** Steps of a ramp: finer than 8 bits resolve. */
const STEPS = 8192;

/**
 * Mixes the pixel with a ramp's colour at its OKLab lightness.
 * @param linear linear light of the bytes 0…255
 * @param ramp packed colours of the lightness 0…1
 * @param settings share of the ramp's colour
 */
function applyRamp(
  this: KernelThis,
  colour: Float32Array,
  linear: Float32Array,
  ramp: Float32Array,
  settings: Float32Array,
): number {
  const pixel = unpack(colour[this.thread.x]);
  const { lightness } = oklabOf(decoded(pixel, linear));
  const toned = unpack(ramp[Math.min(Math.floor(lightness * (STEPS - 1) + 0.5), STEPS - 1)]);
  const { red, green, blue } = mix(pixel, toned, settings[0]);
  return packRounded(red, green, blue);
}

export const rampKernel: Kernel = {
  run: applyRamp,
  helpers: [...oklabStages, ...stages],
  literals: { STEPS },
};

/**
 * The arguments of `rampKernel`.
 * @param strength share of the ramp's colour, 0…1; encoded values are mixed, as layers are
 * @param colourAt linear light for a lightness 0…1
 */
export function rampArguments(
  strength: number,
  colourAt: (lightness: number) => Linear,
): readonly Float32Array[] {
  const ramp = Float32Array.from({ length: STEPS }, (_, step) => {
    const [red, green, blue] = colourAt(step / (STEPS - 1));
    return packRgb({ red, green, blue });
  });
  return [LINEAR, ramp, Float32Array.of(strength)];
}
