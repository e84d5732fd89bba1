/** The size of a render's picture. */

import { isometriesOf } from "../geometry/isometries.ts";
import { tileOf } from "../geometry/repeating-tile.ts";
import { sheetSize } from "../recipe/check.ts";
import type { Design, RenderFields } from "../recipe/index.ts";
import type { Size } from "../size.ts";

/** Returns the size of a checked render's picture in pixels. */
export function sizeOf(
  { group, lattice }: Pick<Design, "group" | "lattice">,
  fields: RenderFields,
): Size {
  if (fields.mode !== "tile") return sheetSize(fields);
  const { width, height } = tileOf(isometriesOf(group, lattice), fields).tile;
  return { width, height };
}
