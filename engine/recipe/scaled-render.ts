/** Scales the fields of a render, for previews and supersampling. */

import { FRIEZE_PIXELS, sheetSize } from "./check.ts";
import { type Frieze, LIMITS, type RenderFields } from "./index.ts";

export interface ScaledRender {
  readonly fields: RenderFields;
  /** Its pixels for each pixel of the whole picture. */
  readonly scale: number;
  /** Whether it shows the whole picture, not only its top left part. */
  readonly isComplete: boolean;
}

/** Tolerance of rounded sizes, below which the sheet counts as complete. */
const EDGE = 0.05;

/**
 * Returns a render of the same picture with `factor` times as many pixels a side, and the same size on paper. A
 * pattern that cannot be scaled that much is rendered at its minimum; the picture then shows the sheet's top left
 * part.
 */
export function scaledRender(fields: RenderFields, factor: number): ScaledRender {
  const scaled = (pixels: number, least: number) => Math.max(least, Math.round(pixels * factor));
  const size = scaled(fields.size, LIMITS.tile.minimum);
  const dpiAt = (scale: number) => Math.max(1, fields.dpi * scale);
  if (fields.mode === "tile") {
    const scale = size / fields.size;
    return { fields: { ...fields, size, dpi: dpiAt(scale) }, scale, isComplete: true };
  }
  if (fields.mode === "frieze") return scaledFrieze(fields, factor, size);
  const cell = fields.cell && Math.max(LIMITS.cell.minimum, fields.cell * factor);
  const scale = fields.cell && cell ? cell / fields.cell : size / fields.size;
  const { width, height } = sheetSize(fields);
  const { x, y } = fields.offset;
  return {
    fields: {
      ...fields,
      size,
      dpi: dpiAt(scale),
      surface_width: scaled(width, LIMITS.surface.minimum),
      surface_height: scaled(height, LIMITS.surface.minimum),
      ...(cell !== undefined && { cell }),
      offset: { x: x * scale, y: y * scale },
    },
    scale,
    isComplete: scale <= factor * (1 + EDGE),
  };
}

function scaledFrieze(fields: RenderFields, factor: number, size: number): ScaledRender {
  const { offset, frieze } = fields as RenderFields & { readonly frieze: Frieze };
  const { width, height } = sheetSize(fields);
  const { repeats, length = width, height: stripHeight = height } = frieze;
  const scaled = (pixels: number) => Math.max(LIMITS.surface.minimum, Math.round(pixels * factor));
  const least = FRIEZE_PIXELS / Math.min(length / repeats, stripHeight);
  const scale = Math.max(scaled(width) / width, least);
  return {
    fields: {
      ...fields,
      size,
      dpi: Math.max(1, fields.dpi * scale),
      surface_width: scaled(width),
      surface_height: scaled(height),
      offset: { x: offset.x * scale, y: offset.y * scale },
      frieze: { ...frieze, length: length * scale, height: stripHeight * scale },
    },
    scale,
    isComplete: scale <= factor * (1 + EDGE),
  };
}
