/** A PDF's page: boxes, and marks that show where to cut. Millimetres, y down, unless said otherwise. */
import type { PrintFields } from "../recipe.ts";
import { sizeWithBleed } from "./sheet.ts";

/** From the edge of the bleed to a mark, a mark's length, and beyond it to the edge of the page. */
const GAP = 2;
const LENGTH = 5;
const BEYOND = 1;

/** Millimetres that the page grows by on each side for the marks. */
const MARKS_ROOM = GAP + LENGTH + BEYOND;

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Page {
  readonly width: number;
  readonly height: number;
  /** All that is printed on. */
  readonly bleed: Rectangle;
  /** What is left of it after cutting. */
  readonly trim: Rectangle;
  /** Lines from a point to another. */
  readonly marks: readonly (readonly [x1: number, y1: number, x2: number, y2: number])[];
}

/** The page of a print: its sheet with its bleed, and room for marks where there are any. */
export function pageOf(print: PrintFields): Page {
  const { width_mm, height_mm, bleed_mm, crop_marks } = print;
  const sheet = sizeWithBleed(print);
  const room = crop_marks ? MARKS_ROOM : 0;
  const at = room + bleed_mm;
  const trim = { left: at, top: at, width: width_mm, height: height_mm };
  return {
    width: sheet.width + 2 * room,
    height: sheet.height + 2 * room,
    bleed: { left: room, top: room, ...sheet },
    trim,
    marks: crop_marks ? marksAround(trim, bleed_mm + GAP) : [],
  };
}

/** Two lines at each corner, in line with the edges that meet there, so far away from them. */
function marksAround({ left, top, width, height }: Rectangle, away: number): Page["marks"] {
  const [right, bottom] = [left + width, top + height];
  const across = [left, right].flatMap((x) => [
    [x, top - away - LENGTH, x, top - away] as const,
    [x, bottom + away, x, bottom + away + LENGTH] as const,
  ]);
  const down = [top, bottom].flatMap((y) => [
    [left - away - LENGTH, y, left - away, y] as const,
    [right + away, y, right + away + LENGTH, y] as const,
  ]);
  return [...across, ...down];
}
