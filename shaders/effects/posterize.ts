/** Reduces colours to a few levels of lightness, like a screen print. */
import Type from "typebox";
import type { Kernel, KernelThis } from "../kernel.ts";
import { decodeChannel } from "../lib/colour.ts";
import { encodeChannel, packRounded, unpack } from "../lib/pack.ts";
import { stages } from "../lib/stages.ts";
import { Strength } from "../parameters.ts";
import { definePointwise } from "./effect.ts";
import { curveOf } from "./lib/curve.ts";

/** CIE L* of an encoded value, both 0…1 (CIE 15:2004, 8.2.1); uniform in perception. */
function lightnessOf(value: number): number {
  const light = decodeChannel(value);
  return light > (6 / 29) ** 3 ? 1.16 * Math.cbrt(light) - 0.16 : (light * 24389) / 2700;
}

/** The inverse. */
function encodedFrom(lightness: number): number {
  const light = lightness > 0.08 ? ((lightness + 0.16) / 1.16) ** 3 : (lightness * 2700) / 24389;
  return encodeChannel(light) / 255;
}

/** Rounds to the nearest integer, with a smooth transition over the share `softness` of each step. */
function stepped(place: number, softness: number): number {
  const below = Math.floor(place);
  const way = Math.min(Math.max((place - below - 0.5) / Math.max(softness, 1e-9) + 0.5, 0), 1);
  return below + way * way * (3 - 2 * way);
}

/**
 * Maps the largest channel, and the others in proportion: the HSV hue and saturation stay, where steps of
 * each channel by itself would give greys and skin the colours of a rainbow.
 * @param curve encoded values 0…255 for the bytes 0…255
 */
function scaleToCurve(this: KernelThis, colour: Float32Array, curve: Float32Array): number {
  const { red, green, blue } = unpack(colour[this.thread.x]);
  const most = Math.max(Math.max(red, green), blue);
  const factor = curve[most] / Math.max(most, 1);
  return packRounded(red * factor, green * factor, blue * factor);
}

const scaleKernel: Kernel = { run: scaleToCurve, helpers: [...stages] };

export const posterize = definePointwise({
  id: "posterize",
  title: "Posterize",
  description: "Reduces colours to a few levels, in even steps of lightness; hues stay.",
  params: Type.Object(
    {
      levels: Type.Integer({
        minimum: 2,
        maximum: 32,
        default: 6,
        description: "Number of levels from black to the lightest, of the channel that is largest.",
      }),
      softness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.25,
        description:
          "Width of the transition between levels, as a share of a step; 0 is a hard edge.",
      }),
      strength: Strength(1, "Share of the posterized colour; 0 changes nothing."),
    },
    { additionalProperties: false },
  ),
  neutral: { strength: 0 },
  kernel: scaleKernel,
  prepare: ({ levels, softness, strength }) => [
    curveOf((value) => {
      const level = stepped(lightnessOf(value) * (levels - 1), softness) / (levels - 1);
      return value + (encodedFrom(level) - value) * strength;
    }),
  ],
});
