/** Renders a rosette: a disc or a sheet that is symmetric about one point. */
import { apply, compose, invert, rotation, scaling, translation } from "../geometry/affine.ts";
import { rosetteDomain } from "../geometry/rosettes.ts";
import type { Samples } from "../image/samples.ts";
import { rosetteDiameter, sheetSize } from "../recipe/check.ts";
import { rosetteReach } from "../recipe/check-rosette.ts";
import type { Design, RenderFields } from "../recipe/index.ts";
import type { SheetRows, SurfaceGeometry } from "./surface.ts";

/** Returns a rosette as a pattern on a sheet. */
export function rosetteSheet(
  design: Design,
  fields: RenderFields,
): { readonly design: Design; readonly geometry: SurfaceGeometry } {
  const { rosette } = fields;
  const diameter = rosetteDiameter(fields);
  const { width, height } = sheetSize(fields);
  const centre = centreOf(fields);
  const reach = rosetteReach(fields, { width, height }, diameter);
  // Of whole diameters, so that effects are spaced alike on all sheets.
  const side = rosette.shape === "disc" ? 1 : Math.max(1, Math.ceil(2 * reach));
  const toSheet = compose(
    translation(centre.x, centre.y),
    rotation(fields.rotation),
    scaling(diameter, diameter),
    translation(-side / 2, -side / 2),
  );
  const region = { width: width / diameter, height: height / diameter };
  const tile = { width, height, region, toPlane: invert(toSheet) };
  // A share of the distance between neighbouring wedges, as in groups whose cells have an edge of 1.
  const seam = { ...design.seam, width: design.seam.width * Math.sin(Math.PI / rosette.fold) };
  // Part of the design, by which seams and periods are kept.
  const lattice = { ratio: 1, repeat: "straight", rosette, side } as const;
  return {
    design: { ...design, group: "p1", lattice, counterchange: null, seam },
    geometry: { width, height, tile, periodic: false, strain: 0, domain: rosetteDomain(lattice) },
  };
}

/** Returns a rosette's sheet with what lies outside its disc transparent. */
export function withinDisc(fields: RenderFields, sheet: SheetRows): SheetRows {
  const { width } = sheetSize(fields);
  const disc = { ...centreOf(fields), radius: rosetteDiameter(fields) / 2 };
  return {
    ...sheet,
    rows: async (first, count) => cut(await sheet.rows(first, count), width, first, disc),
  };
}

/** Returns where a rosette's centre lies on its sheet, in pixels. */
function centreOf(fields: RenderFields) {
  const { width, height } = sheetSize(fields);
  return apply(translation(width / 2, height / 2), fields.offset);
}

/** Returns rows of a sheet, the first of them number `first`, with what lies outside a disc transparent. */
function cut(
  { colour, alpha }: Samples,
  width: number,
  first: number,
  { x, y, radius }: { readonly x: number; readonly y: number; readonly radius: number },
): Samples {
  const result = {
    colour: new Float32Array(colour.length),
    alpha: new Float32Array(colour.length),
  };
  for (let at = 0; at < colour.length; at++) {
    const dx = (at % width) + 0.5 - x;
    const dy = first + Math.floor(at / width) + 0.5 - y;
    const covered = Math.min(Math.max(radius + 0.5 - Math.hypot(dx, dy), 0), 1);
    result.alpha[at] = Math.round(covered * (alpha === null ? 255 : alpha[at]));
    if (result.alpha[at] > 0) result.colour[at] = colour[at];
  }
  return result;
}
