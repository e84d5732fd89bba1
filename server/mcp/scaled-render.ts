/** Scales the fields of a render, for previews. */
import { LIMITS, type RenderFields, sheetSize } from "../actions/renders.ts";

export interface ScaledRender {
  readonly fields: RenderFields;
  /** Its pixels for each pixel of the whole picture. */
  readonly scale: number;
  /** Whether it shows the whole picture, not only its top left part. */
  readonly isComplete: boolean;
}

/** Tolerance of rounded sizes, below which the sheet counts as complete. */
const EDGE = 0.05;

/** The resolution at which a scaled sheet has the same size on paper, and with it the same effects. */
const dpiOf = ({ dpi }: RenderFields, scale: number) => Math.max(1, dpi * scale);

/**
 * Returns a render scaled by `factor`, 0…1. A pattern that cannot be scaled that much is rendered at
 * its minimum; the picture then shows the sheet's top left part.
 */
export function scaledRender(fields: RenderFields, factor: number): ScaledRender {
  const scaled = (pixels: number, least: number) => Math.max(least, Math.round(pixels * factor));
  const size = scaled(fields.size, LIMITS.tile.minimum);
  if (fields.mode === "tile") {
    const scale = size / fields.size;
    return { fields: { ...fields, size, dpi: dpiOf(fields, scale) }, scale, isComplete: true };
  }
  const { width, height } = sheetSize(fields);
  const cell = fields.cell && Math.max(LIMITS.cell.minimum, fields.cell * factor);
  const scale = fields.cell && cell ? cell / fields.cell : size / fields.size;
  const { x, y } = fields.offset;
  return {
    fields: {
      ...fields,
      size,
      surface_width: scaled(width, LIMITS.surface.minimum),
      surface_height: scaled(height, LIMITS.surface.minimum),
      ...(cell !== undefined && { cell }),
      dpi: dpiOf(fields, scale),
      offset: { x: x * scale, y: y * scale },
    },
    scale,
    isComplete: scale <= factor * (1 + EDGE),
  };
}
