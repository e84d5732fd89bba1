/**
 * Divides large sheets into strips that threads render independently. Strip boundaries follow from the
 * recipe alone, so that a file has the same bytes for any number of threads.
 */

import type { Strip } from "../encoders/strips.ts";
import { bandRows } from "../image/bands.ts";
import { effectSheet, reachOf, sheetSize, surfaceStepsOf } from "../recipe/check.ts";
import type { Design, RenderFields } from "../recipe/index.ts";
import { needsPeriod } from "./pattern-chain.ts";
import { patternSheet } from "./pattern-sheet.ts";
import { sizeOf } from "./picture-size.ts";
import { supersampled, supersamplingOf } from "./supersampling.ts";
import { periodPixels } from "./surface.ts";

/**
 * Approximate pixels of a strip: enough to amortise its start, few enough that other jobs do not wait long for the
 * thread.
 */
const STRIP_PIXELS = 1 << 21;

/** Rows that effects read beyond a strip are computed twice: at most one in this many rows. */
const ROWS_PER_REPEATED = 8;

/** Each thread computes the period, so strips pay only if the sheet is this many times larger. */
const MIN_PERIODS = 4;

/**
 * Returns the strips of a checked request from the top. There is a single one for formats that encode
 * the whole picture, for tiles, and for sheets that repeat an encoded period.
 * @param unit all strips but the last have a multiple of so many rows
 */
export function stripsOf(design: Design, fields: RenderFields, unit = 1): Strip[] {
  const { height } = sizeOf(design, fields);
  const supersampling = supersamplingOf(design, fields);
  const finerFields = supersampled(fields, supersampling);
  if (isSingleStrip(design, finerFields)) return [{ first: 0, count: height }];
  const sheet = effectSheet(sheetSize(finerFields), finerFields.dpi);
  const reaches = surfaceStepsOf(design, fields).map((one) => reachOf(one, sheet));
  const rowsOfBand = bandRows(sheet.width, sheet.height, Math.max(0, ...reaches));
  const bands = Math.max(1, Math.round(STRIP_PIXELS / (rowsOfBand * sheet.width)));
  const beyond = ROWS_PER_REPEATED * 2 * reaches.reduce((sum, reach) => sum + reach, 0);
  const rows = Math.ceil(Math.max(bands * rowsOfBand, beyond) / supersampling / unit) * unit;
  return Array.from({ length: Math.ceil(height / rows) }, (_, index) => ({
    first: index * rows,
    count: Math.min(rows, height - index * rows),
  }));
}

function isSingleStrip(design: Design, fields: RenderFields): boolean {
  if (fields.format !== "png" || fields.mode === "tile") return true;
  // Each strip would have to apply the effects to the fill again.
  if (fields.mode === "aperiodic") return needsPeriod(design);
  const { design: pattern, geometry } = patternSheet(design, fields);
  if (geometry.periodic && surfaceStepsOf(design, fields).length === 0) return true;
  return geometry.width * geometry.height < MIN_PERIODS * periodPixels(pattern, geometry);
}
