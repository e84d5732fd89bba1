/** What a surface effect is: one step laid over a finished sheet, pixel by pixel. */
import type { TObject } from "typebox";
import type { Kernel } from "../kernel.ts";

/** One surface effect with its listing, its parameters and its kernel. */
export interface SurfaceEffect {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /**
   * Numbers with minimum, maximum, default and a description that names the unit, closed to
   * other properties. `strength` is among them, and strength 0 changes no pixel. A property
   * `seed` decides the kernel's table.
   */
  readonly params: TObject;
  /**
   * Called as `(colour, firstRow, width, height, params, table)`, one thread for each pixel of a
   * band of whole rows; gives packed colours.
   * - `colour`: packed colours of the band
   * - `firstRow`: row of the sheet that the band begins with
   * - `width`, `height`: pixels of the whole sheet
   * - `params`: the parameters in the order of the schema
   * - `table`: the integers 0…4095 in an order drawn from the seed
   */
  readonly kernel: Kernel;
}

/** Declares a surface effect. */
export function defineSurfaceEffect(effect: SurfaceEffect): SurfaceEffect {
  return effect;
}
