/** Interface of pattern effects, which transform a pattern and keep its symmetry. */
import type { Static, TObject } from "typebox";
import type { Size } from "../../engine/size.ts";
import type { Kernel } from "../kernel.ts";
import type { Linear } from "../lib/colour.ts";

/** A problem in an effect's parameters. */
export interface ParameterIssue {
  /** JSON pointer from the parameters. */
  readonly path: string;
  readonly message: string;
  readonly expected: string;
  readonly received: string;
}

interface Listing<Params extends TObject> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /**
   * Each with its default, or optional, and a description that names the unit, numbers with minimum
   * and maximum; closed to other properties. Lengths are in edges of the cell, so that a pattern
   * looks the same at every size.
   */
  readonly params: Params;
  /** Returns what is wrong with parameters that match the schema. */
  issues?(params: Static<Params>): ParameterIssue[];
  /** Returns the size of the finest detail in edges of the cell, as a surface effect does in millimetres. */
  detail?(params: Static<Params>): number;
  /** Whether it depends on the main colours of the picture that it is applied to. */
  readsColours?(params: Static<Params>): boolean;
  /** Parameters with which the effect changes no pixel by more than 1/255. */
  readonly neutral: Partial<Static<Params>>;
}

/** One of a picture's main colours, in OKLab, and the share of the picture that it takes. */
export interface PictureColour {
  readonly colour: Linear;
  readonly share: number;
  /** Standard deviation of the lightness in that share; 0 if absent. */
  readonly spread?: number;
}

/** Most main colours of a picture. */
export const PICTURE_COLOURS = 16;

/** Weight of chroma, relative to lightness, in distances between a picture's colours. */
export const CHROMA_WEIGHT = 2;

/** An effect on single pixels. Alpha is unchanged. */
export interface PointwiseEffect<Params extends TObject = TObject> extends Listing<Params> {
  readonly kind: "pointwise";
  /** Called as `(colour, ...prepare(params))`, one thread a pixel; returns packed colours. */
  readonly kernel: Kernel;
  /**
   * The lengths of arrays do not depend on the parameters, so that nothing is compiled twice.
   * @param colours of the whole picture, the darkest first; none if it does not read them
   */
  prepare(
    params: Static<Params>,
    colours: readonly PictureColour[],
  ): readonly (number | Float32Array)[];
}

/** An effect that reads neighbours: it transforms a period of the pattern, whose edges wrap. */
export interface TorusEffect<Params extends TObject = TObject> extends Listing<Params> {
  readonly kind: "torus";
  /**
   * Returns the changed pixels, and may overwrite its input. The group's
   * operations commute with the effect, so that a pattern keeps its symmetry.
   */
  apply(torus: Torus, params: Static<Params>, context: EffectContext): Promise<Pixels>;
}

export type PatternEffect = PointwiseEffect | TorusEffect;

/** Packed colours (r·65536 + g·256 + b), row by row, and alpha 0…255, or null if all are opaque. */
export interface Pixels {
  readonly colour: Float32Array;
  readonly alpha: Float32Array | null;
}

export interface Vector {
  readonly x: number;
  readonly y: number;
}

/** A period of a pattern in pixels, which wraps at its edges. */
export interface Torus extends Pixels, Size {
  /** x′ = a·x + b·y + e, y′ = c·x + d·y + f: from pixels (centres at ½) to edges of the cell. */
  readonly toPlane: {
    readonly a: number;
    readonly b: number;
    readonly c: number;
    readonly d: number;
    readonly e: number;
    readonly f: number;
  };
  /** A reduced basis of the pattern's translations, in edges of the cell. The origin is the group's. */
  readonly lattice: readonly [Vector, Vector];
  /**
   * The largest disc of one fundamental domain and its images under the group that lie on the
   * period, in pixels: centres, radius, and whether the image is mirrored.
   */
  readonly discs: readonly (Vector & { readonly radius: number; readonly mirrored: boolean })[];
}

/** Resources of a torus effect. */
export interface EffectContext {
  /** Main colours of the whole picture, the darkest first; none if the effect does not read them. */
  readonly colours: readonly PictureColour[];
  /** To be called every few milliseconds of work; rejects once the job is cancelled. */
  checkpoint(): Promise<void>;
}

/** Declares an effect on single pixels. */
export function definePointwise<Params extends TObject>(
  effect: Omit<PointwiseEffect<Params>, "kind">,
): PointwiseEffect {
  return { ...effect, kind: "pointwise" };
}

/** Declares an effect that reads neighbours. */
export function defineTorusEffect<Params extends TObject>(
  effect: Omit<TorusEffect<Params>, "kind">,
): TorusEffect {
  return { ...effect, kind: "torus" };
}
