/** Scales the fields of a render, for previews and supersampling. */

import { rosetteDiameter, sheetSize, stripOf } from "./check.ts";
import { FRIEZE_PIXELS } from "./check-frieze.ts";
import { LIMITS, type RenderFields } from "./index.ts";

export interface ScaledRender {
  readonly fields: RenderFields;
  /** Its pixels for each pixel of the whole picture. */
  readonly scale: number;
  /** Whether it shows the whole picture, not only a part of it. */
  readonly isComplete: boolean;
}

/** Tolerance of rounded sizes, below which the sheet counts as complete. */
const EDGE = 0.05;

/**
 * Returns a render of the same picture with `factor` times as many pixels a side, and the same size on paper. A
 * pattern that cannot be scaled that much is rendered at its minimum; the picture then shows the sheet's top left
 * part, or the middle of a rosette's.
 */
export function scaledRender(fields: RenderFields, factor: number): ScaledRender {
  const scaled = (pixels: number, least: number) => Math.max(least, Math.round(pixels * factor));
  const size = scaled(fields.size, LIMITS.tile.minimum);
  const dpiAt = (scale: number) => Math.max(1, fields.dpi * scale);
  if (fields.mode === "tile") {
    const scale = size / fields.size;
    return { fields: { ...fields, size, dpi: dpiAt(scale) }, scale, isComplete: true };
  }
  const { width, height } = sheetSize(fields);
  const { x, y } = fields.offset;
  const whole = fields.mode === "rosette" ? rosetteDiameter(fields) : fields.cell;
  const cell = whole && Math.max(LIMITS.cell.minimum, whole * factor);
  const strip = fields.mode === "frieze" ? stripOf(fields) : null;
  let scale = whole && cell ? cell / whole : size / fields.size;
  if (strip) {
    const least = FRIEZE_PIXELS / Math.min(strip.length / strip.repeats, strip.height);
    scale = Math.max(scaled(width, LIMITS.surface.minimum) / width, least);
  }
  return {
    fields: {
      ...fields,
      size,
      dpi: dpiAt(scale),
      surface_width: scaled(width, LIMITS.surface.minimum),
      surface_height: scaled(height, LIMITS.surface.minimum),
      ...(cell !== undefined && { cell }),
      ...(strip && {
        frieze: { ...strip, length: strip.length * scale, height: strip.height * scale },
      }),
      offset: { x: x * scale, y: y * scale },
    },
    scale,
    isComplete: scale <= factor * (1 + EDGE),
  };
}
