/** The fields of a print export, in millimetres. */
import Type, { type Static } from "typebox";
import { LIMITS } from "./limits.ts";
import { PRINT_FORMATS } from "./print-formats.ts";
import { PrintFrieze, RenderFields } from "./render-fields.ts";

const strict = { additionalProperties: false } as const;

const { side, bleed, cell, dpi } = LIMITS.print;
const { maximum: mostPixels, maximumPixels } = LIMITS.surface;
const { aperiodic } = RenderFields.properties;

const Side = (what: string) =>
  Type.Number({
    minimum: side.minimum,
    maximum: side.maximum,
    description: `${what} of the trimmed sheet in millimetres.`,
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
      description: `Pixels per inch of paper. With its bleed a sheet has at most ${mostPixels} pixels a side and ${maximumPixels} in all. A PDF that repeats its pattern contains a single period, at this or a slightly higher density, and only that is limited.`,
    }),
    bleed_mm: Type.Number({
      minimum: 0,
      maximum: bleed,
      default: 0,
      description:
        "Millimetres by which the pattern extends beyond each edge of the trimmed sheet. They enlarge the file; a PDF contains the trim box.",
    }),
    crop_marks: Type.Boolean({
      default: false,
      description:
        "PDF only: draw crop marks outside the bleed. They enlarge the page by 8 mm on each side.",
    }),
    format: Type.Enum([...PRINT_FORMATS], {
      default: "pdf",
      description:
        "pdf: PDF 1.7, in which a surface without surface effects is a tiling pattern: one period that is repeated exactly, at any angle and over any length. png, tiff, jpeg: the whole sheet as pixels. All contain the sRGB profile and their physical size.",
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
        "Compression of a TIFF. deflate: files are about a tenth smaller. lzw: for older print workflows.",
    }),
    mode: Type.Enum(["surface", "aperiodic", "frieze", "rosette"], {
      default: "surface",
      description:
        "surface: the pattern repeats. aperiodic: tiles that never repeat, each filled from the source. frieze: a strip that repeats a whole number of times along the sheet's width. rosette: a disc or sheet that is symmetric about its centre.",
    }),
    cell_mm: Type.Optional(
      Type.Number({
        ...cell,
        description:
          "Edge a of one conventional cell (surface), or of one aperiodic tile, or the diameter of a rosette, in millimetres. Default: 100 mm, or the sheet's shorter side if that is less; the largest aperiodic tile has the area of a square with a quarter of that; a rosette has the sheet's shorter side.",
      }),
    ),
    rotation: Type.Number({
      minimum: -360,
      maximum: 360,
      default: 0,
      description:
        "Clockwise rotation of the pattern on the sheet, in degrees (surface, aperiodic and rosette).",
    }),
    offset_mm: Type.Object(
      { x: Shift("to the right"), y: Shift("down") },
      {
        ...strict,
        default: { x: 0, y: 0 },
        description:
          "Position of the pattern's origin from the top left corner of the trimmed sheet, or of a rosette's centre from the centre of the sheet; independent of the bleed.",
      },
    ),
    surface_effects: Type.Optional({
      ...RenderFields.properties.surface_effects,
      description: `Effects on the sheet with its bleed, in order, with a total reach of at most ${LIMITS.surfaceReach} pixels. Default: those of the pattern's style. With any of them a PDF contains the whole sheet as pixels.`,
    }),
    aperiodic,
    frieze: Type.Optional(PrintFrieze),
    // Omitted in exports of earlier releases.
    rosette: Type.Optional(RenderFields.properties.rosette),
  },
  { ...strict, description: "Print file of a pattern." },
);
export type PrintFields = Static<typeof PrintFields>;
