/** Kernel arguments of surface effects. */

import { type EffectSheet, effectArguments, type SurfaceEffect } from "../../shaders/catalog.ts";
import type { EffectStep } from "../recipe/check.ts";

/** A surface effect with its kernel arguments for a sheet. */
export interface PreparedEffect {
  readonly effect: SurfaceEffect;
  readonly params: Float32Array;
  readonly table: Float32Array;
  /** Rows that it reads above and below. */
  readonly reach: number;
}

export const prepareEffect = (
  { effect, params }: EffectStep<SurfaceEffect>,
  sheet: EffectSheet,
): PreparedEffect => ({ effect, ...effectArguments(effect, params, sheet) });
