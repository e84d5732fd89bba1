/** The same picture at another size: what a preview is rendered by. */
import { LIMITS, type RenderFields, sizeOf } from "../actions/renders.ts";

export interface ScaledRender {
  readonly fields: RenderFields;
  /** Pixels of it for each pixel of the whole picture. */
  readonly scale: number;
  /** Whether the whole picture is in it, and not only its top left part. */
  readonly isComplete: boolean;
}

/** Rounding of a size moves the sheet's far edges by so much at most before they count as cut off. */
const EDGE = 0.05;

/**
 * A render with everything `factor` times as large, 0…1. A pattern that cannot be made that small
 * is made as small as can be: then the sheet's top left part is in the picture.
 */
export function scaledRender(fields: RenderFields, factor: number): ScaledRender {
  const scaled = (pixels: number, least: number) => Math.max(least, Math.round(pixels * factor));
  const size = scaled(fields.size, LIMITS.tile.minimum);
  if (fields.mode === "tile") {
    return { fields: { ...fields, size }, scale: size / fields.size, isComplete: true };
  }
  const { width, height } = sizeOf(fields);
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
      offset: { x: x * scale, y: y * scale },
    },
    scale,
    isComplete: scale <= factor * (1 + EDGE),
  };
}
