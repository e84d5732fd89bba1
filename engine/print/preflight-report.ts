/** Schema and type of a preflight report. */
import Type, { type Static } from "typebox";

const strict = { additionalProperties: false } as const;

const Size = (unit: string, description: string) =>
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
] as const;

export const PrintWarning = Type.Object(
  {
    code: Type.Enum([...WARNINGS], {
      description:
        "source_too_small: fewer than 150 pixels of the source lie on an inch of paper. source_small_for_fine_print: fewer than 300. low_dpi: the file itself has fewer than 150. no_bleed: nothing is printed beyond the trim. transparency_on_white: the format has none. cell_rounded: the cell was rounded to whole pixels. thin_outline: lines between tiles may not print.",
    }),
    message: Type.String({ description: "The same in words, with its numbers and what helps." }),
  },
  { ...strict, description: "What may disappoint on paper. Nothing of it stops the export." },
);
export type PrintWarning = Static<typeof PrintWarning>;

export const Preflight = Type.Object(
  {
    raster: Type.Enum(["sheet", "period"], {
      description:
        "What the file's pixels show. sheet: all of it with its bleed. period: one period of the pattern with a margin of its neighbours, which the PDF repeats.",
    }),
    pixels: Size("Pixels", "Of that picture."),
    dpi: Type.Number({ description: "Pixels per inch of paper that were asked for." }),
    trim_mm: Size("Millimetres", "The sheet after it has been trimmed."),
    bleed_mm: Type.Number({ description: "Millimetres printed beyond each edge of it." }),
    page_mm: Size("Millimetres", "The file's whole page: trim, bleed, and room for crop marks."),
    cell_mm: Type.Number({
      description: "Edge a of one conventional cell, or of one aperiodic tile, in millimetres.",
    }),
    repeats: Type.Boolean({
      description: "Whether one period is computed and repeated exactly over the sheet.",
    }),
    strain: Type.Number({
      minimum: 0,
      description:
        "How far the cell's sides differ from those that were asked for, as a ratio, because a period was rounded to whole pixels (0.0005 = 0.05 %); 0 where nothing was.",
    }),
    source_ppi: Type.Number({
      description:
        "Pixels of the source on an inch of paper, by the motif's scale, the group and the cell.",
    }),
    colour_profile: Type.String({ description: "The ICC profile in the file." }),
    warnings: Type.Array(PrintWarning),
  },
  { ...strict, description: "What is to be known of a file for print before it is printed." },
);
export type Preflight = Static<typeof Preflight>;
