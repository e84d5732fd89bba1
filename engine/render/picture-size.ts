/** The size of a render's picture. */

import { isometriesOfDesign, type OperationFields } from "../geometry/counterchange.ts";
import { tileOf } from "../geometry/repeating-tile.ts";
import { sheetSize } from "../recipe/check.ts";
import type { RenderFields } from "../recipe/index.ts";
import type { Size } from "../size.ts";

/** Returns the size of a checked render's picture in pixels. */
export function sizeOf(design: OperationFields, fields: RenderFields): Size {
  if (fields.mode !== "tile") return sheetSize(fields);
  const { width, height } = tileOf(isometriesOfDesign(design), fields).tile;
  return { width, height };
}
