/** Colours by lightness alone: what a pixel's own hue was is gone. */
import type { KernelThis } from "../../kernel.ts";
import type { Linear } from "../../lib/colour.ts";
import { packLinear } from "../../lib/pack.ts";
import { LINEAR } from "./linear-table.ts";

/** Steps of a ramp: finer than any 8-bit picture tells apart. */
const STEPS = 8192;

/**
 * Reads a ramp at the pixel's OKLab lightness and lays it over the pixel. The way to OKLab is
 * spelled out here, in `turn.ts` and in `palette_map.ts`, because a call to a helper costs four
 * times as much: they change together.
 * @param linear linear light of the bytes 0…255
 * @param ramp packed colours of the lightness 0…1, 8192 of them
 * @param settings share of the ramp's colour
 */
export function applyRamp(
  this: KernelThis,
  colour: Float32Array,
  linear: Float32Array,
  ramp: Float32Array,
  settings: Float32Array,
): number {
  const packed = colour[this.thread.x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  const r = linear[red];
  const g = linear[green];
  const b = linear[blue];
  const lx = 0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b;
  const mx = 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b;
  const sx = 0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b;
  // Cube roots: x^¼·(A + B·x^⅛) is within 3 % of them, one step of Halley within 0.002 %.
  const l4 = Math.sqrt(Math.sqrt(lx));
  const m4 = Math.sqrt(Math.sqrt(mx));
  const s4 = Math.sqrt(Math.sqrt(sx));
  const l0 = l4 * (0.202 + 0.822 * Math.sqrt(l4));
  const m0 = m4 * (0.202 + 0.822 * Math.sqrt(m4));
  const s0 = s4 * (0.202 + 0.822 * Math.sqrt(s4));
  const l3 = l0 * l0 * l0;
  const m3 = m0 * m0 * m0;
  const s3 = s0 * s0 * s0;
  const l = (l0 * (l3 + 2 * lx)) / (2 * l3 + lx + 1e-30);
  const m = (m0 * (m3 + 2 * mx)) / (2 * m3 + mx + 1e-30);
  const s = (s0 * (s3 + 2 * sx)) / (2 * s3 + sx + 1e-30);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const toned = ramp[Math.min(Math.floor(lightness * 8191 + 0.5), 8191)];
  const tonedRed = Math.floor(toned / 65536);
  const tonedGreen = Math.floor(toned / 256) - tonedRed * 256;
  const tonedBlue = toned - tonedRed * 65536 - tonedGreen * 256;
  const share = settings[0];
  return (
    Math.floor(red + (tonedRed - red) * share + 0.5) * 65536 +
    Math.floor(green + (tonedGreen - green) * share + 0.5) * 256 +
    Math.floor(blue + (tonedBlue - blue) * share + 0.5)
  );
}

/**
 * The arguments of `applyRamp`.
 * @param strength share of the ramp's colour, 0…1; encoded values are mixed, as layers are
 * @param colourAt linear light for a lightness 0…1
 */
export function rampArguments(
  strength: number,
  colourAt: (lightness: number) => Linear,
): readonly Float32Array[] {
  const ramp = Float32Array.from({ length: STEPS }, (_, step) =>
    packLinear(...colourAt(step / (STEPS - 1))),
  );
  return [LINEAR, ramp, Float32Array.of(strength)];
}
