/** What a pattern effect is: one step that changes a pattern and leaves it a pattern. */
import type { Static, TObject } from "typebox";
import type { Size } from "../../engine/size.ts";
import type { Kernel } from "../kernel.ts";

interface Listing<Params extends TObject> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /**
   * Each with its default and a description that names the unit, numbers with minimum and
   * maximum; closed to other properties. Lengths are in edges of the cell, so that a pattern
   * looks the same at every size.
   */
  readonly params: Params;
  /** Parameters with which the effect changes no pixel by more than 1/255. */
  readonly neutral: Partial<Static<Params>>;
}

/** An effect that sees one pixel at a time. Alpha stays as it is. */
export interface PointwiseEffect<Params extends TObject = TObject> extends Listing<Params> {
  readonly kind: "pointwise";
  /** Called as `(colour, ...prepare(params))`, one thread a pixel; returns packed colours. */
  readonly kernel: Kernel;
  /** Arrays have the same lengths whatever the parameters are, so that nothing is compiled twice. */
  prepare(params: Static<Params>): readonly (number | Float32Array)[];
}

/** An effect that sees neighbours: it works on a period of the pattern, whose edges wrap. */
export interface TorusEffect<Params extends TObject = TObject> extends Listing<Params> {
  readonly kind: "torus";
  /**
   * Resolves with the changed pixels; it may overwrite those that came in. The group's
   * operations commute with the effect, so that a pattern keeps its symmetry.
   */
  apply(torus: Torus, params: Static<Params>, workshop: Workshop): Promise<Pixels>;
}

export type PatternEffect = PointwiseEffect | TorusEffect;

/** Packed colours (r·65536 + g·256 + b), row after row, and alpha 0…255 or null where all is opaque. */
export interface Pixels {
  readonly colour: Float32Array;
  readonly alpha: Float32Array | null;
}

export interface Vector {
  readonly x: number;
  readonly y: number;
}

/** A period of a pattern as pixels: the right edge goes on at the left, the lower at the upper. */
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

/** What a torus effect may use. */
export interface Workshop {
  /** Threads that a kernel's call should have: always the same, because every size is compiled. */
  readonly chunk: number;
  run(
    kernel: Kernel,
    count: number,
    args: readonly (number | Float32Array)[],
  ): Float32Array | Promise<Float32Array>;
  /** Call every few milliseconds of work: rejects when the job was cancelled. */
  checkpoint(): Promise<void>;
}

/** Declares an effect that sees one pixel at a time. */
export function definePointwise<Params extends TObject>(
  effect: Omit<PointwiseEffect<Params>, "kind">,
): PointwiseEffect {
  return { ...effect, kind: "pointwise" };
}

/** Declares an effect that sees neighbours. */
export function defineTorusEffect<Params extends TObject>(
  effect: Omit<TorusEffect<Params>, "kind">,
): TorusEffect {
  return { ...effect, kind: "torus" };
}
