/** Parts of medallions, and the tables for the kernel. */
import type { Linear } from "../../lib/colour.ts";
import { listsOf } from "../../lib/grid-lists.ts";
import { layout, numbersOf, type RecordOf, RGB } from "../../lib/layout.ts";

/** Kinds of parts, in the kernel's numbering. */
const KINDS = ["band", "disc", "lens", "petal", "lozenge", "tooth", "spoke"] as const;

/** Where a part stands: of an order n, at the n spokes, between them, at both, and so on. */
const FOLDS = ["spokes", "between", "both", "gaps", "all"] as const;

/** One part of each sector; lengths in radii of the medallion. */
export interface Part {
  readonly kind: (typeof KINDS)[number];
  readonly fold?: (typeof FOLDS)[number];
  /** Its middle's distance from the centre. */
  readonly at: number;
  /** Half of its length outwards (a disc's radius); a petal's below 0 points inwards. */
  readonly long: number;
  /** Half of its width. */
  readonly wide?: number;
  /** How a petal ends: below 0 fuller, above 0 drawn out. */
  readonly tip?: number;
  /** How far a petal's tip is bent to the side, in lengths; only at the spokes. */
  readonly bend?: number;
  readonly fill: Linear;
  /** The fill's colour at the outer end. */
  readonly end?: Linear;
  readonly line?: Linear;
  readonly lineWidth?: number;
  /** Depth at which a second line runs along the rim. */
  readonly echo?: number;
  /** Half the width of a line along the middle. */
  readonly vein?: number;
  readonly shadow?: number;
  /** Opacity of the fill. */
  readonly solid?: number;
}

/** A part as the kernel reads it. */
export const PART = layout({
  kind: 1,
  fold: 1,
  at: 1,
  long: 1,
  wide: 1,
  tip: 1,
  bend: 1,
  fill: RGB,
  end: RGB,
  line: RGB,
  lineWidth: 1,
  echo: 1,
  vein: 1,
  shadow: 1,
  solid: 1,
});
export type PartRecord = RecordOf<typeof PART>;

/** Rings in which a design's parts are listed, and how far out they go. */
export const RINGS = 48;
export const OUTERMOST = 1.15;

/** First ring of a design in the tables. */
export const ringsBefore = (design: number) => design * RINGS;

/** `parts`: all designs' parts; `list` and `starts`: those in each ring of each design. */
export function partTables(designs: readonly (readonly Part[])[]) {
  const all = designs.flat();
  let first = 0;
  const rings = designs.flatMap((design) => {
    const offset = first;
    first += design.length;
    return Array.from({ length: RINGS }, (_, ring) =>
      design.flatMap((part, index) => (reaches(part, ring) ? [(offset + index) * PART.size] : [])),
    );
  });
  return { parts: Float32Array.from(all.flatMap(numbers)), ...listsOf(rings) };
}

function reaches({ at, long, wide = 0, shadow = 0 }: Part, ring: number): boolean {
  const margin = shadow > 0 ? 0.04 : 0.015;
  const inner = at - Math.abs(long) - margin;
  const outer = Math.hypot(at + Math.abs(long), wide) + margin;
  const width = OUTERMOST / RINGS;
  return inner < (ring + 1) * width && outer > ring * width;
}

const STEPS = Array.from({ length: 41 }, (_, step) => step / 40);

/** The kernel's petal at its widest, before it is scaled. */
function widest(tip: number): number {
  return Math.max(...STEPS.map((s) => Math.sqrt(s) * (1 - s) * (1 - tip + tip * Math.sqrt(1 - s))));
}

function numbers(part: Part): number[] {
  const { fill, tip = 0, wide = 0, kind } = part;
  return numbersOf(
    {
      end: fill,
      line: fill,
      lineWidth: 0,
      echo: 0,
      vein: 0,
      shadow: 0,
      solid: 1,
      bend: 0,
      ...part,
      tip,
      kind: KINDS.indexOf(kind),
      fold: FOLDS.indexOf(part.fold ?? "spokes"),
      wide: kind === "petal" ? wide / widest(tip) : wide,
    },
    PART,
  );
}
