/** Schema and type of a preflight report. */
import Type, { type Static } from "typebox";

const strict = { additionalProperties: false } as const;

/** Returns the schema of a size in a unit. */
export const SizeSchema = (unit: string, description: string) =>
  Type.Object(
    {
      width: Type.Number({ description: `${unit}.` }),
      height: Type.Number({ description: `${unit}.` }),
    },
    { ...strict, description },
  );

/** In the order in which they are reported. */
const WARNINGS = [
  "source_too_small",
  "source_small_for_fine_print",
  "low_dpi",
  "no_bleed",
  "transparency_on_white",
  "cell_rounded",
  "thin_outline",
  "fine_effect",
] as const;

export const PrintWarning = Type.Object(
  {
    code: Type.Enum([...WARNINGS], {
      description:
        "source_too_small: the source has fewer than 150 pixels per inch of paper. source_small_for_fine_print: fewer than 300. low_dpi: the file itself has fewer than 150. no_bleed: nothing is printed beyond the trim. transparency_on_white: the format has none. cell_rounded: the cell was rounded to whole pixels. thin_outline: lines between tiles may not print. fine_effect: a surface effect has details finer than the pixels.",
    }),
    message: Type.String({
      description: "The warning as a sentence, with its numbers and a remedy.",
    }),
  },
  { ...strict, description: "Possible defects in print. They do not prevent the export." },
);
export type PrintWarning = Static<typeof PrintWarning>;

export const Preflight = Type.Object(
  {
    raster: Type.Enum(["sheet", "period"], {
      description:
        "Content of the file's pixels. sheet: the whole sheet with its bleed. period: one period of the pattern with a margin, which the PDF repeats.",
    }),
    pixels: SizeSchema("Pixels", "Of that picture."),
    dpi: Type.Number({ description: "Requested pixels per inch of paper." }),
    trim_mm: SizeSchema("Millimetres", "The sheet after it has been trimmed."),
    bleed_mm: Type.Number({ description: "Millimetres printed beyond each edge of it." }),
    page_mm: SizeSchema(
      "Millimetres",
      "The file's whole page: trim, bleed, and room for crop marks.",
    ),
    cell_mm: Type.Number({
      description:
        "Edge a of one conventional cell, of one aperiodic tile, the length of a frieze's repeat, or the diameter of a rosette, in millimetres.",
    }),
    repeat_mm: Type.Optional(
      Type.Union(
        [
          SizeSchema(
            "Millimetres",
            "The smallest upright rectangle that repeats, before rotation.",
          ),
          Type.Null(),
        ],
        {
          description:
            "Size of one repeat in millimetres; null for an aperiodic sheet and a rosette. Omitted in exports of earlier releases.",
        },
      ),
    ),
    repeats: Type.Boolean({
      description: "Whether one period is computed and repeated exactly over the sheet.",
    }),
    strain: Type.Number({
      minimum: 0,
      description:
        "Relative deviation of the cell's sides from the requested ones, because a period was rounded to whole pixels (0.0005 = 0.05 %); 0 without rounding.",
    }),
    source_ppi: Type.Number({
      description:
        "Pixels of the source per inch of paper, from the motif's scale, the cell, and the group or what takes its place.",
    }),
    colour_profile: Type.String({ description: "The ICC profile in the file." }),
    warnings: Type.Array(PrintWarning),
  },
  { ...strict, description: "Preflight report of a print file." },
);
export type Preflight = Static<typeof Preflight>;
