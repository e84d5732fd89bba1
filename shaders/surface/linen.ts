/** Linen cloth. */
import Type from "typebox";
import { Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { clothNumbers, weaveKernel } from "./weave.ts";

export const linen = defineSurfaceEffect({
  id: "linen",
  title: "Linen",
  description:
    "Linen cloth: fine threads of very unequal thickness, long slubs across and down, and highlights of paler colour.",
  params: Type.Object(
    {
      strength: Strength(0.45, "Visibility of the cloth; 1 is coarse unbleached linen."),
      size: Type.Number({
        minimum: 0.1,
        maximum: 2,
        default: 0.35,
        description: "Distance between neighbouring threads in millimetres.",
      }),
      irregularity: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.7,
        description: "Variation of the threads in thickness and tone.",
      }),
      slubs: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.6,
        description: "Amount of slubs, thick light streaks along a thread.",
      }),
      seed: Seed("Seed of the threads' variation."),
    },
    { additionalProperties: false },
  ),
  prepare: ({ strength, size, irregularity, slubs }, { pixelsPerMillimetre }) =>
    clothNumbers({
      strength,
      size: size * pixelsPerMillimetre,
      irregularity: 0.3 + 0.7 * irregularity,
      evenness: 18,
      tones: 0.75 * irregularity,
      slubs: 1.6 * slubs,
      relief: 0.32,
      holes: 0.5,
      twist: 0,
      bleached: 0.3,
    }),
  detail: ({ size }) => size / 2,
  kernel: weaveKernel,
});
