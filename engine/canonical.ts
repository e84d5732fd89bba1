/** One form for all requests that give the same picture, so that their entity tags are the same. */
import { chosenEffects } from "./check.ts";
import { planeGroup } from "./geometry/plane-groups.ts";
import type { Design, RenderFields } from "./recipe.ts";
import { cellEdge } from "./render/surface.ts";

/**
 * The fields of a checked request that change its bytes, spelled out: defaults filled in, also
 * those of effects; fields without influence left out; turns within one turn.
 */
export function canonicalRender(design: Design, fields: RenderFields): object {
  const { mode, format, dpi, quality } = fields;
  const file = { mode, format, dpi, ...(format !== "png" && { quality }) };
  if (mode === "tile") {
    const { size, hex_cells } = fields;
    const isHexagonal = planeGroup(design.group).lattice === "hexagonal";
    return { ...file, size, ...(isHexagonal && { hex_cells }) };
  }
  const { surface_width, surface_height, rotation, offset } = fields;
  return {
    ...file,
    surface_width,
    surface_height,
    cell: cellEdge(design, fields),
    rotation: ((rotation % 360) + 360) % 360,
    offset,
    surface_effects: chosenEffects(fields).map(({ effect, params }) => ({ id: effect.id, params })),
  };
}
