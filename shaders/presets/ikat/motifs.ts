/** The motifs of a cloth, as data. */
import type { Linear } from "../../lib/colour.ts";
import { numbersOf } from "../../lib/records.ts";
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

/** What the kernel reads of a motif, in this order; 9 numbers. */
const FIELDS = ["x", "y", "wide", "tall", "outline", "inside", "colour"] as const;

/** Motifs as numbers, in painting order. */
export function motifTable(motifs: readonly Motif[]): Float32Array {
  return Float32Array.from(
    motifs.flatMap((motif) =>
      numbersOf(
        { ...motif, outline: rowOf(motif.outline), inside: rowOf(motif.inside ?? "none") },
        FIELDS,
      ),
    ),
  );
}

/** Where a motif lies and how large it is: x, y, half width, half height. */
export type Seat = readonly [number, number, number, number];

/** Motifs inside each other, from the outermost; the innermost has the size `core` (0…1). */
export function nest(
  outline: OutlineName,
  [x, y, wide, tall]: Seat,
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
