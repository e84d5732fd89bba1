/** The period of a pattern that a PDF's tiling pattern repeats. */

import { isometriesOfDesign } from "../geometry/counterchange.ts";
import { surfaceStepsOf } from "../recipe/check.ts";
import type { Design, PrintFields } from "../recipe/index.ts";
import { periodGeometry, type SurfaceGeometry } from "../render/surface.ts";
import { MILLIMETRES_PER_INCH, type Size } from "../size.ts";
import { cellOf, sheetOf, sizeWithBleed } from "./sheet.ts";

/** The size is the period's exact one, in millimetres. */
export interface PrintPeriod extends Size {
  /** Pixels on each side of the picture that show the neighbouring periods. */
  readonly margin: { readonly across: number; readonly down: number };
  /** The picture, margins included. */
  readonly geometry: SurfaceGeometry;
}

/** Returns a multiple of 4, so that the group's operations map pixels onto pixels, at `dpi` or more. */
const pixelsFor = (millimetres: number, dpi: number) =>
  4 * Math.max(1, Math.ceil((millimetres / MILLIMETRES_PER_INCH / 4) * dpi - 1e-6));

/**
 * Share of the period by which neighbours overlap on each side: one of them then covers each device
 * pixel completely, even in previews with few pixels per period.
 */
const MARGIN = 1 / 32;
const MIN_MARGIN = 8;

const marginFor = (pixels: number) => Math.max(MIN_MARGIN, Math.ceil(pixels * MARGIN));

/**
 * Returns the period that a PDF repeats, or null if the file needs the whole sheet: for other formats,
 * aperiodic sheets, friezes, rosettes, surface effects, and periods larger than the sheet.
 */
export function printPeriod(design: Design, print: PrintFields): PrintPeriod | null {
  if (print.format !== "pdf" || print.mode !== "surface") return null;
  if (surfaceStepsOf(design, sheetOf(print)).length > 0) return null;
  const isometries = isometriesOfDesign(design);
  const cell = cellOf(print);
  const width = cell * isometries.period.width;
  const height = cell * isometries.period.height;
  const sheet = sizeWithBleed(print);
  if (width * height > sheet.width * sheet.height) return null;
  const pixels = { across: pixelsFor(width, print.dpi), down: pixelsFor(height, print.dpi) };
  const margin = { across: marginFor(pixels.across), down: marginFor(pixels.down) };
  return { width, height, margin, geometry: periodGeometry(isometries, pixels, margin) };
}
