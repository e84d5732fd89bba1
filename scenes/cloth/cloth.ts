/** From a simulated sheet to cloth that a scene can sample. */
import { type Lighting, lightOn } from "./cloth-light.ts";
import { rasteriseSheet, type View, type Window } from "./cloth-map.ts";
import { type ClothSurface, surfaceOf } from "./cloth-surface.ts";
import type { Sheet } from "./sheet.ts";

/** Rasterises and lights `sheet`, which is fine enough that its facets are invisible. */
export function clothOf(
  sheet: Sheet,
  view: View,
  window: Window,
  lighting: Lighting,
): ClothSurface {
  const map = rasteriseSheet(sheet, view, window);
  return surfaceOf(map, lightOn(map, lighting));
}
