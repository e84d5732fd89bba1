/** How a field is painted. */
import type { Linear } from "../../lib/colour.ts";
import { layout, numbersOf, type RecordOf, RGB, XY } from "../../lib/layout.ts";

/** Numbers that the kernel paints with; lengths in edges of the picture, strengths 0…1. */
export interface Look {
  /** Times that the noise runs through the bands; whole times that it does so across and down. */
  readonly cycles: number;
  readonly course: readonly [number, number];
  /** The level that noise 0 has. */
  readonly begin: number;
  /** 1: levels stay in the bands, 0: they begin anew. */
  readonly held: number;
  /** How far grain scatters the levels. */
  readonly grain: number;
  /** Shadow of a band on the one below, and its width. */
  readonly shadow: number;
  readonly shadowReach: number;
  /** Lines between bands, and half their width. */
  readonly line: number;
  readonly lineWidth: number;
  /** How strongly the second field's colours lie over the first, and their grain. */
  readonly tint: number;
  readonly tintGrain: number;
  /** Light on the folds, their depth, their gloss; rays. */
  readonly light: number;
  readonly depth: number;
  readonly gloss: number;
  readonly rays: number;
  readonly lineColour: Linear;
  readonly heights: Linear;
  readonly depths: Linear;
}

/** A look as the kernel reads it; `total` is the mean colour of the bands. */
export const LOOK = layout({
  cycles: 1,
  course: XY,
  begin: 1,
  held: 1,
  grain: 1,
  shadow: 1,
  shadowReach: 1,
  line: 1,
  lineWidth: 1,
  tint: 1,
  tintGrain: 1,
  light: 1,
  depth: 1,
  gloss: 1,
  rays: 1,
  total: RGB,
  lineColour: RGB,
  heights: RGB,
  depths: RGB,
});
export type LookRecord = RecordOf<typeof LOOK>;

/** Nothing but smooth colour. */
const BARE = {
  cycles: 1,
  course: [0, 0],
  begin: 0.5,
  held: 0,
  grain: 0,
  shadow: 0,
  shadowReach: 0.01,
  line: 0,
  lineWidth: 0.001,
  tint: 0,
  tintGrain: 0,
  light: 0,
  depth: 0,
  gloss: 0,
  rays: 0,
  lineColour: [0, 0, 0],
  heights: [0, 0, 0],
  depths: [0, 0, 0],
} as const;

/** A look as numbers, with the mean colour of the bands. */
export function lookTable(look: Partial<Look>, total: Linear): Float32Array {
  return Float32Array.from(numbersOf({ ...BARE, ...look, total }, LOOK));
}
