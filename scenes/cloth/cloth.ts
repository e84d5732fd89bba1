/** From a sheet that has found its folds to cloth that a scene can look up. */
import { type Lighting, lightOn } from "./cloth-light.ts";
import { seen, type View, type Window } from "./cloth-map.ts";
import { type ClothSurface, surfaceOf } from "./cloth-surface.ts";
import type { Sheet } from "./sheet.ts";

/** What `sheet`, fine enough that its pieces are not seen, looks like in this light. */
export function clothOf(
  sheet: Sheet,
  view: View,
  window: Window,
  lighting: Lighting,
): ClothSurface {
  const map = seen(sheet, view, window);
  return surfaceOf(map, lightOn(map, lighting));
}
