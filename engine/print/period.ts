/** One period of a pattern as the picture of a PDF's tiling pattern. */
import { surfaceStepsOf } from "../check.ts";
import { isometriesOf } from "../geometry/isometries.ts";
import type { Design, PrintFields } from "../recipe.ts";
import { periodGeometry, type SurfaceGeometry } from "../render/surface.ts";
import { cellOf, MILLIMETRES_PER_INCH, sheetOf, sizeWithBleed } from "./sheet.ts";

export interface PrintPeriod {
  /** The period's own sides in millimetres, exactly. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture on each side that show what repeats there. */
  readonly margin: { readonly across: number; readonly down: number };
  /** The picture, margins included. */
  readonly geometry: SurfaceGeometry;
}

/** A multiple of 4, so that the group's operations map pixels onto pixels, and never below the asked density. */
const pixelsFor = (millimetres: number, dpi: number) =>
  4 * Math.max(1, Math.ceil((millimetres / MILLIMETRES_PER_INCH / 4) * dpi - 1e-6));

/**
 * Neighbours overlap by so much of the period on each side: a pixel of whatever device shows the page
 * is then covered whole by one of them, also in a preview that has few pixels for each.
 */
const MARGIN = 1 / 32;
const LEAST_MARGIN = 8;

const marginFor = (pixels: number) => Math.max(LEAST_MARGIN, Math.ceil(pixels * MARGIN));

/**
 * The period that a PDF repeats, or null where the file has to hold the whole sheet: in other formats,
 * on aperiodic sheets, under surface effects, and where a period is larger than the sheet.
 */
export function printPeriod(design: Design, print: PrintFields): PrintPeriod | null {
  if (print.format !== "pdf" || print.mode !== "surface") return null;
  if (surfaceStepsOf(design, sheetOf(print)).length > 0) return null;
  const isometries = isometriesOf(design.group, design.lattice);
  const cell = cellOf(print);
  const width = cell * isometries.period.width;
  const height = cell * isometries.period.height;
  const sheet = sizeWithBleed(print);
  if (width * height > sheet.width * sheet.height) return null;
  const pixels = { across: pixelsFor(width, print.dpi), down: pixelsFor(height, print.dpi) };
  const margin = { across: marginFor(pixels.across), down: marginFor(pixels.down) };
  return { width, height, margin, geometry: periodGeometry(isometries, pixels, margin) };
}
