/** Strokes of a brush, and the tables that the kernel reads. */
import type { Linear } from "../../lib/colour.ts";
import { listsOf } from "../../lib/grid-lists.ts";
import { layout, numbersOf, type RecordOf, RGB, XY } from "../../lib/layout.ts";
import { type Random, whole } from "../../lib/random.ts";

/** One stroke; lengths in edges of the picture, y down. */
export interface Stroke {
  /** A band runs across the whole picture, along an axis. */
  readonly kind: "stroke" | "ring" | "band";
  /** Its middle. */
  readonly x: number;
  readonly y: number;
  /** Direction in radians clockwise from the x axis; for a ring its start. */
  readonly angle: number;
  /** Half of its length and of its width; of a ring the length follows from the radius. */
  readonly long: number;
  readonly wide: number;
  readonly radius?: number;
  /** How far a stroke bows to the side, in half lengths. */
  readonly bow?: number;
  /** How much it narrows at its beginning and its end, 0…1. */
  readonly tapers?: readonly [number, number];
  readonly paint: Paint;
}

/** Properties of paint on a stroke. */
export interface Paint {
  /** Colours that the bristles mix. */
  readonly colour: Linear;
  readonly other: Linear;
  /** Share of paint used up by the end, and the brush's initial load. */
  readonly dry: number;
  readonly load: number;
  /** Over what length ends are frayed. */
  readonly frayed: number;
  /** How uneven the sides are, 0…1. */
  readonly wobble: number;
  /** How dark the rim of a wash dries. */
  readonly pool: number;
  readonly opacity: number;
  /** 0 covers what lies beneath, 1 only filters it. */
  readonly glaze: number;
  /** Bristles in an edge of the picture. */
  readonly bristles: number;
}

/** A stroke as the kernel reads it. */
export const STROKE = layout({
  kind: 1,
  x: 1,
  y: 1,
  axis: XY,
  long: 1,
  wide: 1,
  bend: 1,
  tapers: layout({ begin: 1, end: 1 }),
  period: 1,
  offset: 1,
  colour: RGB,
  other: RGB,
  dry: 1,
  load: 1,
  frayed: 1,
  wobble: 1,
  pool: 1,
  opacity: 1,
  glaze: 1,
  bristles: 1,
  streaks: 1,
});
export type StrokeRecord = RecordOf<typeof STROKE>;

const KINDS = ["stroke", "ring", "band"] as const;

/** Share of a ring's round that its stroke covers. */
const ROUND = 0.98;

/** Cells along an edge of the grid. */
export const GRID = 32;

/** `strokes`: records; `list` and `starts`: offsets for each cell, the lowest first. */
export function strokeTables(random: Random, strokes: readonly Stroke[]) {
  const cells = Array.from({ length: GRID * GRID }, (_, cell) => {
    const x = ((cell % GRID) + 0.5) / GRID;
    const y = (Math.floor(cell / GRID) + 0.5) / GRID;
    return strokes.flatMap((stroke, index) =>
      mayTouch(stroke, x, y) ? [index * STROKE.size] : [],
    );
  });
  const numbers = strokes.flatMap((stroke) => numbersOf(recordOf(random, stroke), STROKE));
  return { strokes: Float32Array.from(numbers), ...listsOf(cells) };
}

function recordOf(random: Random, stroke: Stroke) {
  const { kind, angle, radius = 0, bow = 0, tapers = [0, 0], paint } = stroke;
  // A band's streaks repeat with the picture; others' have no end.
  const streaks = kind === "band" ? 4 : 7;
  return {
    ...stroke,
    ...paint,
    kind: KINDS.indexOf(kind),
    axis: [Math.cos(angle), Math.sin(angle)],
    long: kind === "ring" ? ROUND * Math.PI * radius : stroke.long,
    bend: kind === "ring" ? radius : bow,
    tapers,
    period: kind === "band" ? streaks : 1024,
    offset: whole(random, 0, 4000),
    streaks,
  };
}

const nearest = (offset: number) => offset - Math.floor(offset + 0.5);

function mayTouch(stroke: Stroke, x: number, y: number): boolean {
  const { kind, angle, long, wide, radius = 0, bow = 0 } = stroke;
  const dx = nearest(x - stroke.x);
  const dy = nearest(y - stroke.y);
  const along = dx * Math.cos(angle) + dy * Math.sin(angle);
  const across = dy * Math.cos(angle) - dx * Math.sin(angle);
  const margin = Math.SQRT1_2 / GRID + 0.35 * wide + 0.01;
  if (kind === "ring") return Math.abs(Math.hypot(dx, dy) - radius) < wide + margin;
  const side = Math.abs(across - bow * ((along * along) / long - long * 0.33));
  if (kind === "band") return side < wide + margin;
  // A bowed stroke's side is measured aslant.
  const steep = Math.hypot(1, 2 * bow);
  return Math.abs(along) < long + margin && side < (wide + margin) * steep;
}
