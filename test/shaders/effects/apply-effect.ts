/** Applies pointwise effects as the engine does. */

import Value from "typebox/value";
import { principalColours } from "../../../engine/image/principal-colours.ts";
import type { KernelRunner } from "../../../engine/kernel-runner.ts";
import type { PatternEffect } from "../../../shaders/catalog.ts";
import type { PointwiseEffect } from "../../../shaders/effects/effect.ts";
import { decodeChannel, type Linear, oklabFromLinear } from "../../../shaders/lib/colour.ts";
import { channels } from "../pixels.ts";

/** Returns a picture's changed colours; omitted parameters have their defaults, and all are checked. */
export async function applyEffect(
  runner: KernelRunner,
  effect: PatternEffect,
  given: Readonly<Record<string, unknown>>,
  colour: Float32Array,
): Promise<Float32Array> {
  const params = Value.Parse(effect.params, Value.Default(effect.params, { ...given }));
  const { kernel, prepare } = effect as PointwiseEffect;
  const args = prepare(params, principalColours({ colour, alpha: null }, 16));
  return Float32Array.from(await runner.run(kernel, colour.length, [colour, ...args]));
}

/** Linear light of a packed colour. */
function linearChannel(packed: number): Linear {
  const [red, green, blue] = channels(packed);
  return [decodeChannel(red / 255), decodeChannel(green / 255), decodeChannel(blue / 255)];
}

/** OKLab of a packed colour, in 64-bit floats. */
export const oklabOf = (packed: number): Linear => oklabFromLinear(linearChannel(packed));

/** Luminance of a packed colour, ITU-R BT.709. */
export function luminanceOf(packed: number): number {
  const [red, green, blue] = linearChannel(packed);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Hue of OKLab in degrees, and chroma. */
export function hueAndChroma(packed: number): readonly [number, number] {
  const [, a, b] = oklabOf(packed);
  return [(Math.atan2(b, a) * 180) / Math.PI, Math.hypot(a, b)];
}

/** All greys. */
export const GREYS = Float32Array.from({ length: 256 }, (_, value) => value * 65793);
