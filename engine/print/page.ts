/** A PDF's page: boxes and crop marks, in millimetres, y down. */
import type { Page, Rectangle } from "../encoders/pdf/page-objects.ts";
import type { PrintFields } from "../recipe/index.ts";
import { sizeWithBleed } from "./sheet.ts";

/** From the bleed to a mark, the length of a mark, and from a mark to the edge of the page. */
const GAP = 2;
const LENGTH = 5;
const MARGIN = 1;

/** Millimetres added to the page on each side for the marks. */
const MARKS_ROOM = GAP + LENGTH + MARGIN;

/** Returns the page of a print: its sheet with bleed, and room for crop marks if it has any. */
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

/** Returns two marks at each corner, collinear with the edges that meet there, at distance `away`. */
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
