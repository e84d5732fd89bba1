/** A print's sheet in pixels: the same fields as a render's, so that it is made the same way. */
import type { PrintFields, RenderFields } from "../recipe.ts";
import { LIMITS } from "../recipe.ts";
import { edgeForSide } from "../render/aperiodic.ts";

export const MILLIMETRES_PER_INCH = 25.4;

/** Edge of a cell in millimetres where nobody says otherwise, if the sheet is larger. */
const USUAL_CELL = 100;

/** Edge a of one conventional cell, or of one aperiodic tile, in millimetres. */
export function cellOf(print: PrintFields): number {
  const { cell_mm, mode, aperiodic, width_mm, height_mm } = print;
  if (cell_mm !== undefined) return cell_mm;
  const cell = Math.min(USUAL_CELL, width_mm, height_mm);
  return mode === "surface" ? cell : edgeForSide(aperiodic, cell / 4);
}

/** Sides of the sheet with its bleed, in millimetres. */
export function sizeWithBleed({ width_mm, height_mm, bleed_mm }: PrintFields) {
  return { width: width_mm + 2 * bleed_mm, height: height_mm + 2 * bleed_mm };
}

/** The sheet with its bleed as the fields of a render. Its pixels are whole; nothing else is rounded. */
export function sheetOf(print: PrintFields): RenderFields {
  const { dpi, mode, quality, rotation, offset_mm, bleed_mm, surface_effects, aperiodic } = print;
  const pixels = (millimetres: number) => (millimetres / MILLIMETRES_PER_INCH) * dpi;
  const { width, height } = sizeWithBleed(print);
  return {
    mode,
    format: "png",
    dpi,
    quality,
    size: LIMITS.tile.default,
    hex_cells: "7x4",
    surface_width: Math.round(pixels(width)),
    surface_height: Math.round(pixels(height)),
    cell: pixels(cellOf(print)),
    rotation,
    offset: { x: pixels(bleed_mm + offset_mm.x), y: pixels(bleed_mm + offset_mm.y) },
    aperiodic,
    ...(surface_effects !== undefined && { surface_effects }),
  };
}
