/** The pattern that a sheet shows, under the group of its mode. */
import type { Design, RenderFields } from "../recipe/index.ts";
import { friezeSheet } from "./frieze.ts";
import { rosetteSheet } from "./rosette.ts";
import { type SurfaceGeometry, surfaceGeometry } from "./surface.ts";

/** Returns the pattern of a surface, a frieze or a rosette, and its place on the sheet. */
export function patternSheet(
  design: Design,
  fields: RenderFields,
): { readonly design: Design; readonly geometry: SurfaceGeometry } {
  switch (fields.mode) {
    case "frieze":
      return friezeSheet(design, fields);
    case "rosette":
      return rosetteSheet(design, fields);
    default:
      return { design, geometry: surfaceGeometry(design, fields) };
  }
}
