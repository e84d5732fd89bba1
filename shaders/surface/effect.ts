/** Interface of surface effects, which are applied to a finished sheet. */
import type { Static, TObject } from "typebox";
import type { Size } from "../../engine/size.ts";
import type { Kernel } from "../kernel.ts";

/** The sheet that an effect covers, in pixels. */
export interface EffectSheet extends Size {
  /** Lengths of effects are millimetres on paper. */
  readonly pixelsPerMillimetre: number;
}

/** One surface effect with its listing, its parameters and its kernel. */
export interface SurfaceEffect<Params extends TObject = TObject> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /**
   * Each with its default and a description that names the unit, numbers with minimum and
   * maximum; closed to other properties. `strength` is among them, and strength 0 changes no
   * pixel. A property `seed` decides the kernel's table.
   */
  readonly params: Params;
  /**
   * Called as `(colour, firstRow, width, height, params, table)`, one thread for each pixel of a
   * band of whole rows; returns packed colours.
   * - `colour`: packed colours of the band, with `reach` further rows above it and below it
   * - `firstRow`: row of the sheet that the band begins with, those above not counted
   * - `width`, `height`: pixels of the whole sheet
   * - `params`: what `prepare` returns
   * - `table`: the integers 0…4095 in an order drawn from the seed
   *
   * An effect with a `reach` gets it as a seventh argument.
   */
  readonly kernel: Kernel;
  /**
   * Returns the kernel's numbers, always as many; default: the parameters in the
   * order of the schema.
   */
  prepare?(params: Static<Params>, sheet: EffectSheet): Float32Array;
  /**
   * Number of rows above and below a pixel that the kernel reads, 0…256; default: it reads the
   * pixel alone. Beyond the sheet's upper and lower edge the edge rows repeat; left and right the
   * kernel clamps.
   */
  reach?(params: Static<Params>, sheet: EffectSheet): number;
  /**
   * Returns the size of the finest detail in millimetres. A sheet on which that is less than a pixel is
   * computed in finer pixels. Default: the effect has no detail of its own.
   */
  detail?(params: Static<Params>): number;
}

/** Declares a surface effect. */
export function defineSurfaceEffect<Params extends TObject>(
  effect: SurfaceEffect<Params>,
): SurfaceEffect {
  return effect;
}
