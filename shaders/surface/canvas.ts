/** Artist's canvas. */
import Type from "typebox";
import { Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { clothNumbers, weaveKernel } from "./weave.ts";

export const canvas = defineSurfaceEffect({
  id: "canvas",
  title: "Canvas",
  description:
    "Artist's canvas lit from the upper left: round, slightly unequal threads in plain weave, with occasional slubs.",
  params: Type.Object(
    {
      strength: Strength(0.45, "Visibility of the canvas; 1 is bare canvas in grazing light."),
      size: Type.Number({
        minimum: 0.1,
        maximum: 4,
        default: 0.7,
        description: "Distance between neighbouring threads in millimetres.",
      }),
      irregularity: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "Variation of the threads in thickness and tone; 0 is machine-woven.",
      }),
      slubs: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.35,
        description: "Amount of slubs, thick light places of a thread.",
      }),
      seed: Seed("Seed of the threads' variation."),
    },
    { additionalProperties: false },
  ),
  prepare: ({ strength, size, irregularity, slubs }, { pixelsPerMillimetre }) =>
    clothNumbers({
      strength,
      size: size * pixelsPerMillimetre,
      irregularity: 0.2 + 0.8 * irregularity,
      evenness: 7,
      tones: 0.3 * irregularity,
      slubs,
      relief: 0.55,
      holes: 0.75,
      twist: 0.07,
      bleached: 0,
    }),
  detail: ({ size }) => size / 2,
  kernel: weaveKernel,
});
