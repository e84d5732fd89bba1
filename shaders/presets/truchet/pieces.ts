/** The one shape that Truchet tiles are drawn with: a band along a line or a circle. */
import type { Linear } from "../../lib/colour.ts";
import { layout, numbersOf, type RecordOf, RGB, XY } from "../../lib/layout.ts";

/** Lengths in cells of the board, y down. */
export interface Piece {
  /** The circle's centre, or a point of the line. */
  readonly x: number;
  readonly y: number;
  /** The circle's radius (0 makes the band a disc), or the line's unit normal. */
  readonly course: number | readonly [number, number];
  /** Half the band's width. */
  readonly half: number;
  readonly paint: Paint;
  /** Its visible part, from (x, y): left, top, right, bottom. */
  readonly box?: readonly [number, number, number, number];
}

/** How a band is painted. */
export interface Paint {
  readonly body: Linear;
  /** An outline inside the rim, and its width. */
  readonly edge?: Linear;
  readonly edgeWidth?: number;
  /** A stripe on either side of the middle line: colour, distance from it, half its width. */
  readonly stripe?: Linear;
  readonly stripeAt?: number;
  readonly stripeHalf?: number;
  /** How dark a shadow it throws, and how far. */
  readonly shadow?: number;
  readonly reach?: number;
  /** How much it darkens towards its sides, 0…1. */
  readonly round?: number;
}

/** Everything, however far away. */
const ALL = [-99, -99, 99, 99] as const;

/** A piece as the kernel reads it: `course.x` is the radius of one that is not straight. */
export const PIECE = layout({
  straight: 1,
  x: 1,
  y: 1,
  course: XY,
  half: 1,
  box: layout({ left: 1, top: 1, right: 1, bottom: 1 }),
  body: RGB,
  edge: RGB,
  edgeWidth: 1,
  stripe: RGB,
  stripeAt: 1,
  stripeHalf: 1,
  shadow: 1,
  reach: 1,
  round: 1,
});
export type PieceRecord = RecordOf<typeof PIECE>;

/** A band along the circle around (x, y). */
export function ring(x: number, y: number, radius: number, half: number, paint: Paint): Piece {
  return { x, y, course: radius, half, paint };
}

/** A disc around (x, y). */
export function disc(x: number, y: number, radius: number, paint: Paint): Piece {
  return ring(x, y, 0, radius, paint);
}

/** A band along a line through (x, y) with the unit normal. */
export function line(
  x: number,
  y: number,
  normal: readonly [number, number],
  half: number,
  paint: Paint,
): Piece {
  return { x, y, course: normal, half, paint };
}

/** One colour all over. */
export function ground(x: number, y: number, body: Linear): Piece {
  return line(x, y, [1, 0], 99, { body });
}

/**
 * Pieces as numbers. `board`: those of each cell from the lowest up, cells row after row.
 * `starts`: where each cell's pieces begin in `pieces`, and the end.
 */
export function pieceTables(board: readonly (readonly Piece[])[]): {
  readonly pieces: Float32Array;
  readonly starts: Float32Array;
} {
  const starts = new Float32Array(board.length + 1);
  board.forEach((cell, index) => {
    starts[index + 1] = starts[index] + cell.length * PIECE.size;
  });
  return { pieces: Float32Array.from(board.flat().flatMap(numbers)), starts };
}

function numbers({ x, y, course, half, box = ALL, paint }: Piece): number[] {
  const straight = typeof course !== "number";
  const piece = {
    edge: paint.body,
    edgeWidth: 0,
    stripe: paint.body,
    stripeAt: 0,
    stripeHalf: 0,
    shadow: 0,
    reach: 0.001,
    round: 0,
    ...paint,
    x,
    y,
    half,
    box,
    straight: straight ? 1 : 0,
    course: straight ? course : [course, 0],
  };
  return numbersOf(piece, PIECE);
}
