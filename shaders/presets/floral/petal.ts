/**
 * The one shape that a floral print is drawn with. A petal grows from a point along an axis;
 * with other numbers it is a leaf, a stem, a stamen, a seed or a soft shadow.
 */
import type { Linear } from "../../lib/colour.ts";

/** Lengths in edges of the picture, y down. */
export interface Petal {
  /** Where it grows from. */
  readonly x: number;
  readonly y: number;
  /** Direction of growth in radians, clockwise from the x axis. */
  readonly angle: number;
  readonly length: number;
  /** At its widest place. */
  readonly halfWidth: number;
  /** How far the tip is bent to the side, in lengths. */
  readonly bend?: number;
  /** 0: round, 1: pointed. */
  readonly tip?: number;
  readonly base?: number;
  /** Above 0 it is widest near the tip, below 0 near the base; −1.8…1.8. */
  readonly belly?: number;
  /** Depth of the notch in the tip, in lengths. */
  readonly notch?: number;
  /** Colour at the base and at the tip, blended between the two places on the axis (0…1). */
  readonly from: Linear;
  readonly to: Linear;
  readonly blend?: readonly [number, number];
  /** Lines along the petal and across it, and how strongly they show (0…1). */
  readonly veins?: number;
  readonly ribs?: number;
  readonly lines?: number;
  /** How strongly the rim is drawn in ink, 0…1. */
  readonly rim?: number;
  /** How much one side is darkened, 0…1; the light comes from the upper left. */
  readonly shade?: number;
  /** Width over which the edge fades in; 0 is a sharp edge. */
  readonly soft?: number;
  readonly opacity?: number;
}
