/** The fields of a print export, in millimetres. */
import Type, { type Static } from "typebox";
import { LIMITS } from "./limits.ts";
import { PRINT_FORMATS } from "./print-formats.ts";
import { RenderFields } from "./render-fields.ts";

const strict = { additionalProperties: false } as const;

const { side, bleed, cell, dpi } = LIMITS.print;
const { maximum: mostPixels, maximumPixels } = LIMITS.surface;
const { aperiodic } = RenderFields.properties;

const Side = (what: string) =>
  Type.Number({
    minimum: side.minimum,
    maximum: side.maximum,
    description: `${what} of the sheet in millimetres after it has been trimmed.`,
  });

const Shift = (direction: string) =>
  Type.Number({
    minimum: -side.maximum,
    maximum: side.maximum,
    default: 0,
    description: `Millimetres ${direction}.`,
  });

/** Body of an export request. */
export const PrintFields = Type.Object(
  {
    width_mm: Side("Width"),
    height_mm: Side("Height"),
    dpi: Type.Number({
      ...dpi,
      description: `Pixels per inch of paper. With its bleed a sheet has at most ${mostPixels} pixels a side and ${maximumPixels} in all. A PDF that repeats its pattern holds a single period of it, at this or a slightly higher density, and only that is bounded.`,
    }),
    bleed_mm: Type.Number({
      minimum: 0,
      maximum: bleed,
      default: 0,
      description:
        "Millimetres by which the pattern goes on beyond each edge of the trimmed sheet. The file is larger by that; a PDF says where the trim is.",
    }),
    crop_marks: Type.Boolean({
      default: false,
      description:
        "PDF only: draw hairlines outside the bleed that show where to cut. The page grows by 8 mm on each side for them.",
    }),
    format: Type.Enum([...PRINT_FORMATS], {
      default: "pdf",
      description:
        "pdf: PDF 1.7, in which a surface without surface effects is a tiling pattern: one period that is repeated exactly, at any angle and over any length. png, tiff, jpeg: the whole sheet as pixels. All carry the sRGB profile and their size on paper.",
    }),
    quality: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 95,
      description: "Quality of a JPEG; from 90 on it keeps colours at full resolution.",
    }),
    compression: Type.Enum(["lzw", "deflate"], {
      default: "lzw",
      description:
        "Of a TIFF. deflate: files are smaller by about a tenth. lzw: older print workflows read only this.",
    }),
    mode: Type.Enum(["surface", "aperiodic"], {
      default: "surface",
      description:
        "surface: the pattern repeats. aperiodic: tiles that never repeat, each filled from the source.",
    }),
    cell_mm: Type.Optional(
      Type.Number({
        ...cell,
        description:
          "Edge a of one conventional cell (surface), or of one aperiodic tile, in millimetres. Left out, a cell's edge is 100 mm, or the sheet's shorter side where that is less; the largest aperiodic tile has the area of a square of a quarter of that.",
      }),
    ),
    rotation: Type.Number({
      minimum: -360,
      maximum: 360,
      default: 0,
      description: "Degrees by which the pattern is turned clockwise on the sheet.",
    }),
    offset_mm: Type.Object(
      { x: Shift("to the right"), y: Shift("down") },
      {
        ...strict,
        default: { x: 0, y: 0 },
        description:
          "Where the pattern's origin lies, from the top left corner of the trimmed sheet; a bleed does not move it.",
      },
    ),
    surface_effects: Type.Optional({
      ...RenderFields.properties.surface_effects,
      description: `Effects laid over the sheet with its bleed, in order; those that look at neighbours look at most ${LIMITS.surfaceReach} pixels far, taken together. Left out, they are those of the pattern's style. With any of them a PDF holds the whole sheet as pixels.`,
    }),
    aperiodic,
  },
  { ...strict, description: "What file for print to make of the pattern." },
);
export type PrintFields = Static<typeof PrintFields>;
