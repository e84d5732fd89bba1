/** Sizes of a render on paper. */
import Type, { type Static } from "typebox";
import { isometriesOfDesign } from "../geometry/counterchange.ts";
import { cellTile, tileOf } from "../geometry/repeating-tile.ts";
import { friezeRepeat } from "../recipe/check.ts";
import type { Design, RenderFields } from "../recipe/index.ts";
import { sizeOf } from "../render/picture-size.ts";
import { cellEdge } from "../render/surface.ts";
import { MILLIMETRES_PER_INCH, type Size } from "../size.ts";
import { SizeSchema } from "./preflight-report.ts";

export const Measures = Type.Object({
  size_mm: SizeSchema("Millimetres", "The picture at its `dpi`."),
  repeat_mm: Type.Union(
    [
      SizeSchema(
        "Millimetres",
        "The smallest upright rectangle that repeats, before rotation, at the picture's `dpi`.",
      ),
      Type.Null(),
    ],
    { description: "Size of one repeat; null for an aperiodic sheet and a rosette." },
  ),
  true_shape: Type.Optional(
    Type.Object(
      {
        width: Type.Integer({ description: "Pixels." }),
        height: Type.Integer({ description: "Pixels." }),
        strain: Type.Number({ description: "Strain by rounding to whole pixels, as a ratio." }),
      },
      {
        additionalProperties: false,
        description: 'Tiles: the picture of the same `size` with `tile: "cell"`.',
      },
    ),
  ),
});
export type Measures = Static<typeof Measures>;

/** Returns the sizes of a checked render. */
export function measuresOf(design: Design, fields: RenderFields): Measures {
  const inMillimetres = ({ width, height }: Size): Size => ({
    width: toMicrometres((width / fields.dpi) * MILLIMETRES_PER_INCH),
    height: toMicrometres((height / fields.dpi) * MILLIMETRES_PER_INCH),
  });
  const size_mm = inMillimetres(sizeOf(design, fields));
  if (fields.mode === "aperiodic" || fields.mode === "rosette") return { size_mm, repeat_mm: null };
  if (fields.mode === "frieze") {
    return { size_mm, repeat_mm: inMillimetres(friezeRepeat(fields)) };
  }
  const isometries = isometriesOfDesign(design);
  const { period } = isometries;
  if (fields.mode === "surface") {
    const edge = cellEdge(design, fields);
    const repeat = { width: edge * period.width, height: edge * period.height };
    return { size_mm, repeat_mm: inMillimetres(repeat) };
  }
  const { toPlane } = tileOf(isometries, fields).tile;
  const repeat = { width: period.width / toPlane.a, height: period.height / toPlane.d };
  const { tile, strain } = cellTile(isometries, fields.size);
  return {
    size_mm,
    repeat_mm: inMillimetres(repeat),
    true_shape: { width: tile.width, height: tile.height, strain },
  };
}

/** Rounds millimetres to a thousandth. */
const toMicrometres = (value: number) => Math.round(value * 1000) / 1000;
