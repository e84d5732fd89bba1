/** The motifs of a cloth, as data. */
import type { Linear } from "../../lib/colour.ts";
import { layout, numbersOf, type RecordOf, RGB } from "../../lib/layout.ts";
import { type OutlineName, rowOf } from "./outlines.ts";

/** One motif, mirrored left to right; lengths in repeats. */
export interface Motif {
  readonly x: number;
  readonly y: number;
  /** Half of its width and height; a height of 1 and more has no ends. */
  readonly wide: number;
  readonly tall: number;
  readonly outline: OutlineName;
  /** What is cut out of it along the middle. */
  readonly inside?: OutlineName;
  readonly colour: Linear;
}

/** A motif as the kernel reads it; outlines by their rows. */
export const MOTIF = layout({ x: 1, y: 1, wide: 1, tall: 1, outline: 1, inside: 1, colour: RGB });
export type MotifRecord = RecordOf<typeof MOTIF>;

/** Motifs as numbers, in painting order. */
export function motifTable(motifs: readonly Motif[]): Float32Array {
  return Float32Array.from(
    motifs.flatMap((motif) =>
      numbersOf(
        { ...motif, outline: rowOf(motif.outline), inside: rowOf(motif.inside ?? "none") },
        MOTIF,
      ),
    ),
  );
}

/** Position and size of a motif: x, y, half width, half height. */
export type MotifBox = readonly [number, number, number, number];

/** Motifs inside each other, from the outermost; the innermost has the size `core` (0…1). */
export function nest(
  outline: OutlineName,
  [x, y, wide, tall]: MotifBox,
  colours: readonly Linear[],
  core = 0.2,
): Motif[] {
  return colours.map((colour, index) => {
    const size = 1 - ((1 - core) * index) / Math.max(colours.length - 1, 1);
    return { x, y, wide: wide * size, tall: tall * size, outline, colour };
  });
}

/** The motif and itself half a repeat to the side. */
export function beside(motifs: readonly Motif[], x: number, y = 0): Motif[] {
  return motifs.map((motif) => ({ ...motif, x: motif.x + x, y: motif.y + y }));
}

/** Motifs with their copies half a repeat on and down, as bricks are laid. */
export function halfDrop(motifs: readonly Motif[]): Motif[] {
  return [...motifs, ...beside(motifs, 0.5, 0.5)];
}
