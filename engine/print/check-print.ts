/** Checks a print request before anything is loaded or queued. */

import { InvalidRecipe, type ValidationIssue } from "../errors.ts";
import { effectSheet, sheetSize, surfaceIssues, surfaceStepsOf } from "../recipe/check.ts";
import { friezeIssues } from "../recipe/check-frieze.ts";
import { rosetteIssues } from "../recipe/check-rosette.ts";
import {
  type Checked,
  type Design,
  LIMITS,
  type PrintFields,
  type RenderFields,
} from "../recipe/index.ts";
import { MILLIMETRES_PER_INCH } from "../size.ts";
import { pageOf } from "./page.ts";
import { printPeriod } from "./period.ts";
import { cellOf, sheetOf } from "./sheet.ts";

/**
 * Checks what the schema cannot express: pixels, page size, effects and their parameters. A PDF's
 * pixels depend on the design. Throws `InvalidRecipe` with all issues.
 */
export function checkPrint(design: Checked<Design>, print: PrintFields): Checked<PrintFields> {
  const sheet = sheetOf(print);
  const issues = surfaceIssues(
    print.surface_effects ?? [],
    effectSheet(sheetSize(sheet), print.dpi),
  );
  issues.push(...dpiIssues(print), ...markIssues(print), ...cellIssues(print, sheet));
  if (print.format === "pdf") issues.push(...pageIssues(print));
  // The pixels depend on valid effects and cells.
  if (issues.length === 0) issues.push(...pixelIssues(design, print));
  if (issues.length > 0) throw new InvalidRecipe(issues);
  return print as Checked<PrintFields>;
}

/** A JPEG stores its resolution in whole pixels per inch (JFIF 1.02). */
function dpiIssues({ dpi, format }: PrintFields): ValidationIssue[] {
  if (format !== "jpeg" || Number.isInteger(dpi)) return [];
  const expected = "a whole number for jpeg";
  const message = "a JPEG holds whole pixels per inch only";
  return [{ path: "/dpi", message, expected, received: String(dpi) }];
}

function markIssues({ crop_marks, format }: PrintFields): ValidationIssue[] {
  if (!crop_marks || format === "pdf") return [];
  return [
    {
      path: "/crop_marks",
      message: `only a PDF has a page around its sheet to draw crop marks on, not ${format}`,
      expected: 'false, or format "pdf"',
      received: "true",
    },
  ];
}

function cellIssues(print: PrintFields, sheet: RenderFields): ValidationIssue[] {
  if (print.mode === "frieze") return friezeIssues(sheet.frieze, sheetSize(sheet));
  const { minimum, maximum } = LIMITS.cell;
  const cell = cellOf(print);
  const pixels = (cell / MILLIMETRES_PER_INCH) * print.dpi;
  if (pixels >= minimum && pixels <= maximum) {
    return print.mode === "rosette"
      ? rosetteIssues(sheet, sheetSize(sheet), pixels, "/cell_mm")
      : [];
  }
  const least = (minimum / print.dpi) * MILLIMETRES_PER_INCH;
  const most = (maximum / print.dpi) * MILLIMETRES_PER_INCH;
  return [
    {
      path: "/cell_mm",
      message: `${toHundredths(cell)} mm are ${toHundredths(pixels)} pixels at ${print.dpi} dpi, and a cell has ${minimum} to ${maximum}`,
      expected: `${toHundredths(least, "up")} to ${toHundredths(most, "down")} mm at ${print.dpi} dpi`,
      received: `${toHundredths(cell)} mm`,
    },
  ];
}

function pageIssues(print: PrintFields): ValidationIssue[] {
  const { maximum } = LIMITS.print.side;
  const page = pageOf(print);
  return (["width", "height"] as const)
    .filter((side) => page[side] > maximum)
    .map((side) => ({
      path: `/${side}_mm`,
      message: `the page would have a ${side} of ${toHundredths(page[side])} mm with bleed and marks; a PDF's page has at most ${maximum}`,
      expected: `at most ${toHundredths(print[`${side}_mm`] - page[side] + maximum, "down")} mm`,
      received: `${print[`${side}_mm`]} mm`,
    }));
}

function pixelIssues(design: Design, print: PrintFields): ValidationIssue[] {
  const { maximum, maximumPixels } = LIMITS.surface;
  const period = printPeriod(design, print);
  const { width, height } = period?.geometry ?? sheetSize(sheetOf(print));
  if (Math.max(width, height) <= maximum && width * height <= maximumPixels) return [];
  const share = Math.min(
    maximum / Math.max(width, height),
    Math.sqrt(maximumPixels / (width * height)),
  );
  const what = period === null ? "the sheet with its bleed" : "one period of the pattern";
  return [
    {
      path: "/dpi",
      message: `${what} would have ${width} × ${height} = ${width * height} pixels${remedyOf(design, print)}`,
      expected: `at most ${maximum} pixels a side and ${maximumPixels} in all: about ${Math.floor(print.dpi * share)} dpi at this size`,
      received: `${print.dpi} dpi`,
    },
  ];
}

/** Returns advice for a sheet that is too large as pixels. */
function remedyOf(design: Design, print: PrintFields): string {
  if (print.mode !== "surface") return "";
  if (print.format !== "pdf") return "; a PDF repeats a single period of it";
  const effects = surfaceStepsOf(design, sheetOf(print));
  if (effects.length === 0) return "";
  const whose = print.surface_effects === undefined ? "those of the pattern's style, " : "";
  return `; without surface effects (${whose}"surface_effects": []) a PDF repeats a single period of it`;
}

/** Formats a number with at most two decimals, rounded in the given direction. */
function toHundredths(value: number, towards: "nearest" | "up" | "down" = "nearest"): string {
  const round = { nearest: Math.round, up: Math.ceil, down: Math.floor }[towards];
  return String(round(value * 100) / 100);
}
