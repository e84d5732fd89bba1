/** Converts a print's fields to those of a render, in pixels. */
import { Value } from "typebox/value";
import type { PrintFields, RenderFields } from "../recipe/index.ts";
import { LIMITS, Rosette } from "../recipe/index.ts";
import { edgeForSide } from "../render/aperiodic.ts";
import { MILLIMETRES_PER_INCH } from "../size.ts";

/** Default edge of a cell in millimetres on sheets at least that large. */
const DEFAULT_CELL = 100;

/** Returns the edge a of a conventional cell, of an aperiodic tile, the length of a frieze's repeat, or a rosette's diameter, in millimetres. */
export function cellOf(print: PrintFields): number {
  const { cell_mm, mode, aperiodic, frieze, width_mm, height_mm } = print;
  if (mode === "frieze") return width_mm / (frieze?.repeats ?? 1);
  if (cell_mm !== undefined) return cell_mm;
  if (mode === "rosette") return Math.min(width_mm, height_mm);
  const cell = Math.min(DEFAULT_CELL, width_mm, height_mm);
  return mode === "surface" ? cell : edgeForSide(aperiodic, cell / 4);
}

/** Returns the size of the sheet with its bleed, in millimetres. */
export function sizeWithBleed({ width_mm, height_mm, bleed_mm }: PrintFields) {
  return { width: width_mm + 2 * bleed_mm, height: height_mm + 2 * bleed_mm };
}

/** Returns the render fields of the sheet with its bleed. Only its width and height are rounded. */
export function sheetOf(print: PrintFields): RenderFields {
  const { dpi, mode, quality, rotation, offset_mm, surface_effects } = print;
  const { aperiodic, frieze, rosette = Value.Create(Rosette) } = print;
  const pixels = (millimetres: number) => (millimetres / MILLIMETRES_PER_INCH) * dpi;
  const { width, height } = sizeWithBleed(print);
  // The centre of a rosette is placed from the sheet's centre, which bleed does not move.
  const origin = mode === "rosette" ? 0 : print.bleed_mm;
  return {
    mode,
    format: "png",
    dpi,
    quality,
    size: LIMITS.tile.default,
    tile: "square",
    hex_cells: "7x4",
    surface_width: Math.round(pixels(width)),
    surface_height: Math.round(pixels(height)),
    cell: pixels(cellOf(print)),
    rotation,
    offset: { x: pixels(origin + offset_mm.x), y: pixels(origin + offset_mm.y) },
    aperiodic,
    rosette,
    ...(frieze && {
      frieze: { ...frieze, length: pixels(print.width_mm), height: pixels(print.height_mm) },
    }),
    ...(surface_effects !== undefined && { surface_effects }),
  };
}
