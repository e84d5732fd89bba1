import type { Affine, Point } from "../geometry/affine.ts";
import type { Size } from "../size.ts";

/** A cubic Bézier curve that starts where the one before ends: two control points and its end. */
export type Curve = readonly [Point, Point, Point];

/** Curves one after the other. */
export interface Path {
  readonly start: Point;
  readonly curves: readonly Curve[];
}

/** The areas of one colour. */
export interface VectorLayer {
  readonly name: string;
  /** As `#rrggbb`. */
  readonly colour: string;
  /** Closed paths, filled by the even-odd rule. */
  readonly paths: readonly Path[];
}

/** A picture of flat colours as curves, which are repeated, y down. Coordinates of curves are whole numbers. */
export interface VectorPicture extends Size {
  readonly title: string;
  /** Width on paper in millimetres. */
  readonly widthMm: number;
  /** Layers, the lowest first. */
  readonly layers: readonly VectorLayer[];
  /** Where each layer's paths lie in the picture. Some extend beyond it. */
  readonly copies: readonly Affine[];
}
