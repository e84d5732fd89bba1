/** Renders a frieze: a strip that repeats in one direction. */
import { compose, translation } from "../geometry/affine.ts";
import { type FriezeStrip, friezeStrip } from "../geometry/friezes.ts";
import { sheetSize } from "../recipe/check.ts";
import type { Design, Frieze, RenderFields } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import type { SurfaceGeometry } from "./surface.ts";

/** Fields of a checked render in mode frieze. */
const friezeOf = ({ frieze }: Pick<RenderFields, "frieze">) => frieze as Frieze;

/** Returns the size of one repeat in pixels. */
export function friezeRepeat(fields: RenderFields): Size {
  const { repeats, length, height } = friezeOf(fields);
  const sheet = sheetSize(fields);
  return { width: (length ?? sheet.width) / repeats, height: height ?? sheet.height };
}

/** Returns the strip of a checked render in pixels. */
export const stripOfFrieze = (fields: RenderFields): FriezeStrip =>
  friezeStrip(friezeOf(fields).group, friezeRepeat(fields));

/** Returns the wallpaper pattern that a frieze is part of, and its placement on the sheet. */
export function friezeSheet(
  design: Design,
  fields: RenderFields,
): { readonly design: Design; readonly geometry: SurfaceGeometry } {
  const { group, lattice, edge, toPlane } = stripOfFrieze(fields);
  const { width, height } = sheetSize(fields);
  const tile = {
    width,
    height,
    region: { width: width / edge, height: height / edge },
    toPlane: compose(toPlane, translation(-fields.offset.x, -fields.offset.y)),
  };
  return {
    design: { ...design, group, lattice },
    geometry: { width, height, tile, periodic: false, strain: 0 },
  };
}
