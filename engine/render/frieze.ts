/** Renders a frieze: a strip that repeats in one direction. */
import { compose, translation } from "../geometry/affine.ts";
import { friezeStrip } from "../geometry/friezes.ts";
import { friezeRepeat, sheetSize, stripOf } from "../recipe/check.ts";
import type { Design, RenderFields } from "../recipe/index.ts";
import type { SurfaceGeometry } from "./surface.ts";

/** Returns the wallpaper pattern that a frieze is part of, and its placement on the sheet. */
export function friezeSheet(
  design: Design,
  fields: RenderFields,
): { readonly design: Design; readonly geometry: SurfaceGeometry } {
  const repeat = friezeRepeat(fields);
  const { group, lattice, toPlane } = friezeStrip(stripOf(fields).group, repeat);
  const { width, height } = sheetSize(fields);
  const tile = {
    width,
    height,
    region: { width: width / repeat.height, height: height / repeat.height },
    toPlane: compose(toPlane, translation(-fields.offset.x, -fields.offset.y)),
  };
  return {
    design: { ...design, group, lattice, counterchange: null },
    geometry: { width, height, tile, periodic: false, strain: 0 },
  };
}
