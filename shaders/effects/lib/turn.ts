/** Rotates OKLab hue and scales chroma, keeping lightness. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { float32sOf, layout, type RecordOf } from "../../lib/layout.ts";
import { packRgb, unpack } from "../../lib/pack.ts";
import { stages } from "../../lib/stages.ts";
import { GAMUT_HUE, type GamutHue, gamutTable } from "./gamut.ts";
import { LINEAR } from "./linear-table.ts";
import { decoded, lightOfOklab, oklabOf, oklabStages } from "./oklab.ts";

const SETTINGS = layout({
  /** Of the angle. */
  cosine: 1,
  sine: 1,
  /** Factor of the chroma. */
  gain: 1,
});

/** Returns a hue's position along its half of the diamond |a| + |b| = 1. */
const placeOf = (a: number, b: number) => b / (Math.abs(a) + Math.abs(b) + 1e-9);

/** Returns the hue's index in `gamutTable`. */
const hueNumber = (a: number, place: number) =>
  Math.min(Math.floor((a < 0 ? 3 - place : 1 + place) * 2048), 8191);

/** The boundary above the cusp, in the cusp's chroma; u is 1 at the cusp and 0 at white. */
const aboveCusp = (hue: GamutHue, u: number) =>
  u * (1 + (1 - u) * (hue.p + u * (hue.q + u * hue.r)));

/** Returns the maximum chroma of the gamut at a lightness. */
const roomOf = (hue: GamutHue, lightness: number, u: number, above: number) =>
  hue.chroma * Math.max(u > 1 ? lightness / hue.lightness : above, 0) + 0.00001;

/**
 * Chroma is relative to the gamut's maximum at the pixel's lightness, before and
 * after. If the new chroma would fit even for the most colourful pixel, it is used directly.
 * Otherwise x → k·x / (1 + (k − 1)·x), with the maximum as 1, gives muted colours the full gain
 * and maps the most colourful ones to the boundary: no hue is skewed and no texture flattened.
 * @param linear linear light of the bytes 0…255
 */
function turnColour(
  this: KernelThis,
  colour: Float32Array,
  linear: Float32Array,
  gamut: readonly GamutHue[],
  settings: RecordOf<typeof SETTINGS>,
): number {
  const { lightness, a, b } = oklabOf(decoded(unpack(colour[this.thread.x]), linear));
  const { cosine, sine, gain } = settings;
  const turnedA = cosine * a - sine * b;
  const turnedB = sine * a + cosine * b;
  const place = placeOf(a, b);
  const turnedPlace = placeOf(turnedA, turnedB);
  const hue = gamut[hueNumber(a, place)];
  const turnedHue = gamut[hueNumber(turnedA, turnedPlace)];
  const u = (1 - lightness) / (1 - hue.lightness);
  const v = (1 - lightness) / (1 - turnedHue.lightness);
  const above = aboveCusp(hue, u);
  const turnedAbove = aboveCusp(turnedHue, v);
  const room = roomOf(hue, lightness, u, above);
  const turnedRoom = roomOf(turnedHue, lightness, v, turnedAbove);
  const vividness = Math.min(Math.sqrt(a * a + b * b) / room, 1);
  const excess = Math.max((gain * room) / turnedRoom - 1, 0);
  const scale = gain / (1 + excess * vividness);
  return packRgb(lightOfOklab({ lightness, a: turnedA * scale, b: turnedB * scale }));
}

export const turnKernel: Kernel = {
  run: turnColour,
  helpers: [placeOf, hueNumber, aboveCusp, roomOf, ...oklabStages, ...stages],
  records: { gamut: GAMUT_HUE, settings: SETTINGS },
};

/**
 * Returns the arguments of `turnKernel`.
 * @param angle degrees of hue
 * @param gain factor of the chroma
 */
export function turnArguments(angle: number, gain: number): readonly Float32Array[] {
  const radians = (angle * Math.PI) / 180;
  const settings = { cosine: Math.cos(radians), sine: Math.sin(radians), gain };
  return [LINEAR, gamutTable(), float32sOf(settings, SETTINGS)];
}
