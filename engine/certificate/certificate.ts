/** Schema and type of a symmetry certificate, and the picture and the claim that it is about. */
import Type, { type Static } from "typebox";
import { keysOf } from "../../shaders/lib/keys-of.ts";
import type { OperationFields } from "../geometry/counterchange.ts";
import { GROUP_NAMES, type GroupName, type Lattice, type RenderFields } from "../recipe/index.ts";

/** The symmetry that a caller claims for an image. */
export interface Claim {
  readonly group: GroupName;
  readonly lattice: Lattice;
  readonly hexCells: RenderFields["hex_cells"];
  /** What was rendered, where the claim is about the operations that keep its colours. */
  readonly rendered?: OperationFields;
  /**
   * `rendered`: the image is a square tile of this engine, so the number of cells in it is known
   * and a smaller cell is more symmetry than was claimed; it repeats by construction, hard edges
   * included. `any` (default): it may hold any whole number of cells, and its edges have to meet.
   */
  readonly cells?: "rendered" | "any";
  /** Standard deviation of the source's luminance in 8-bit steps; omitted if unknown. */
  readonly sourceDeviation?: number;
}

const strict = { additionalProperties: false } as const;
const nullable = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const PixelPoint = Type.Object(
  {
    x: Type.Number({ description: "Pixels to the right." }),
    y: Type.Number({ description: "Pixels down." }),
  },
  strict,
);

export const OperationCheck = Type.Object(
  {
    operation: Type.String({
      description:
        "Image of the point (x, y) in fractions of the conventional cell, as the International Tables print it: `-y,x`.",
    }),
    kind: Type.Enum(["identity", "translation", "rotation", "mirror", "glide"], {
      description: "What it does to the plane.",
    }),
    words: Type.String({ description: "The same in words: `rotation by 90°`." }),
    generator: Type.Boolean({
      description: "Whether it is one of the group's generators; the others follow from these.",
    }),
    holds: nullable(
      Type.Boolean(),
      "Whether the picture has it, within the certificate's tolerances; null if there are too few pixels to decide.",
    ),
    relative_error: Type.Number({
      minimum: 0,
      description:
        "Root mean square difference of the picture and its image under the operation, as a share of the picture's own deviation, over its coarse and middle detail. 0: identical; 1.41: unrelated.",
    }),
    rms_error: Type.Number({
      minimum: 0,
      description: "Root mean square difference over all pixels and channels, in 8-bit steps.",
    }),
    max_error: Type.Number({
      minimum: 0,
      maximum: 255,
      description: "Largest difference of any channel of any pixel, in 8-bit steps.",
    }),
    local_error: Type.Number({
      minimum: 0,
      description:
        "Largest difference of brightness, or a third of that of colour, after averaging over patches of `patch`, in 8-bit steps: sensitive to local flaws, not to noise.",
    }),
    worst_at: Type.Object(PixelPoint.properties, {
      ...strict,
      description: "Middle of the patch with the largest difference, in pixels.",
    }),
    exact: Type.Boolean({
      description:
        "true: it maps pixels to pixels, and rms_error and max_error compare them one to one, in pictures of more than 16 megapixels only every few rows. false: it does not, and they compare interpolated values, which differ from 0 even if the symmetry is perfect.",
    }),
  },
  { ...strict, description: "One operation of the claimed group, compared with the picture." },
);
export type OperationCheck = Static<typeof OperationCheck>;

export const SupergroupCheck = Type.Object(
  {
    group: Type.Enum([...GROUP_NAMES], { description: "A minimal supergroup." }),
    relative_error: Type.Number({
      minimum: 0,
      description: "The largest relative error of its operations, as for one operation.",
    }),
    holds: Type.Boolean({ description: "Whether the picture has all of its operations." }),
  },
  { ...strict, description: "A group that contains the claimed one, with the same translations." },
);
export type SupergroupCheck = Static<typeof SupergroupCheck>;

export const LatticeDescription = Type.Object(
  {
    kind: Type.Enum(["oblique", "rectangular", "square", "hexagonal"], {
      description: "The most symmetric lattice that the translations fit within the strain.",
    }),
    centred: Type.Boolean({
      description: "Whether its rectangular cell is centred.",
    }),
    across: Type.Integer({
      minimum: 1,
      description: "Number of periods across the picture.",
    }),
    down: Type.Integer({
      minimum: 1,
      description: "Number of periods down the picture.",
    }),
    cells: Type.Integer({
      minimum: 1,
      description: "Number of primitive cells in the picture.",
    }),
    a: Type.Object(PixelPoint.properties, {
      ...strict,
      description: "A shortest translation, in pixels.",
    }),
    b: Type.Object(PixelPoint.properties, {
      ...strict,
      description: "A shortest translation in another direction, in pixels.",
    }),
    strain: Type.Number({
      minimum: 0,
      description:
        "Deviation of the lattice from its ideal shape: relative difference of the scales of both directions.",
    }),
  },
  { ...strict, description: "The translations that the picture has." },
);
export type LatticeDescription = Static<typeof LatticeDescription>;

export const SeamScore = Type.Object(
  {
    left_right: nullable(
      Type.Number({ minimum: 0 }),
      "Mean step from the last column of pixels to the first, divided by the mean step between neighbouring columns inside; null for a single column, which has no inside.",
    ),
    top_bottom: nullable(
      Type.Number({ minimum: 0 }),
      "The same from the last row to the first; null for a single row.",
    ),
    seamless: Type.Boolean({
      description:
        "Whether no edge stands out: its steps rank no higher among those of the same rows or columns than those of the sharpest line inside, and it matches the opposite edge without an offset.",
    }),
  },
  {
    ...strict,
    description:
      "Visibility of the edges where the picture repeats. About 1 or less is good; a crop of a photograph has 3 or more.",
  },
);
export type SeamScore = Static<typeof SeamScore>;

const VERDICTS = ["valid", "more_symmetric", "broken", "undecided"] as const;

/** Reasons of verdicts, with their descriptions. */
const REASONS = {
  holds: "valid: every operation holds",
  larger_group: "more_symmetric: `found` contains the claimed group",
  smaller_cell: "more_symmetric: the claimed group, on a smaller cell than was claimed",
  stripes: "more_symmetric: the picture is of stripes",
  one_colour: "more_symmetric: the picture is of one colour",
  operation_fails: "broken: `failing` fails all over the picture",
  local_flaw: "broken: `failing` fails in one place, `worst_at`",
  fine_detail_differs: "broken: `failing` fails in single pixels alone",
  strained: "broken: the picture is stretched, and its cells have not the group's shape",
  edges_do_not_meet:
    "undecided: opposite edges do not meet, so nothing shows that the picture repeats",
  detail_too_fine: "undecided: the detail is too fine for the pixels to tell",
  cells_too_small: "undecided: the cells have too few pixels to tell",
} as const;
export type Reason = keyof typeof REASONS;

export const Certificate = Type.Object(
  {
    verdict: Type.Enum([...VERDICTS], {
      description:
        "valid: the picture has the claimed group and no larger one. more_symmetric: it has the claimed group and more. broken: an operation of the claimed group fails, or the picture is stretched. undecided: the pixels do not suffice, because the picture or its detail is too fine, or because its edges do not match; `summary` says what would help.",
    }),
    reason: Type.Enum(keysOf(REASONS), {
      description: `The reason, as a stable code. ${Object.entries(REASONS)
        .map(([reason, meaning]) => `${reason}: ${meaning}.`)
        .join(" ")}`,
    }),
    summary: Type.String({ description: "The verdict and its reason in a sentence or two." }),
    claimed: Type.Enum([...GROUP_NAMES], { description: "The group that was claimed." }),
    found: nullable(
      Type.Enum([...GROUP_NAMES]),
      "The group of all operations that hold; null if there is none, because the picture is plain or striped, and if it cannot be determined.",
    ),
    failing: nullable(
      Type.String(),
      "The generator that fails worst, as in `operations`; null where none fails.",
    ),
    lattice: nullable(
      LatticeDescription,
      "The translations found; null if the picture is plain or striped, and if they cannot be determined.",
    ),
    origin: Type.Object(PixelPoint.properties, {
      ...strict,
      description:
        "Best position of the claimed group's origin, in pixels from the picture's top left corner.",
    }),
    operations: Type.Array(OperationCheck, {
      description:
        "One operation of each coset of the claimed group's translations, and the translations that are shorter than the picture.",
    }),
    patch: Type.Object(
      {
        width: Type.Number({ exclusiveMinimum: 0, description: "Pixels." }),
        height: Type.Number({ exclusiveMinimum: 0, description: "Pixels." }),
      },
      {
        ...strict,
        description:
          "Size of the patches in which the picture and its images are compared for `local_error`. Much smaller flaws are ignored.",
      },
    ),
    supergroups: Type.Array(SupergroupCheck, {
      description: "The minimal supergroups of the claimed group that its lattice allows.",
    }),
    seam: SeamScore,
    deviation: Type.Number({
      minimum: 0,
      description: "Standard deviation of the picture's luminance, in 8-bit steps.",
    }),
    counterchange: nullable(
      Type.Object(
        {
          group: Type.Enum([...GROUP_NAMES], {
            description: "The group of all operations, those that exchange the colours included.",
          }),
          max_error: nullable(
            Type.Number({ minimum: 0, maximum: 255 }),
            "Largest difference of any channel between the picture and its negative under an operation that exchanges the colours, in 8-bit steps, except on mirrors that do; null if none maps pixels to pixels. The others follow from it and the operations that keep the colours.",
          ),
        },
        strict,
      ),
      "The two-colour group of a pattern with a counterchange, of which `claimed` keeps the colours.",
    ),
    contrast_kept: nullable(
      Type.Number({ minimum: 0 }),
      "Deviation of the picture divided by that of its source; null where the source is not known, and where effects or a counterchange change it.",
    ),
    tolerance: Type.Object(
      {
        relative_error: Type.Number({
          description: "Maximum relative error of an operation that holds.",
        }),
        local_error: Type.Number({
          description: "Maximum local error, in 8-bit steps.",
        }),
        rms_error: Type.Number({
          description:
            "Maximum root mean square difference of single pixels if the operation is exact, in 8-bit steps.",
        }),
        strain: Type.Number({
          description:
            "Maximum strain of a cell of the required shape: about 1 %, or that of 2x1, 5x3, 7x4 or 26x15 hexagonal cells in a square picture.",
        }),
      },
      { ...strict, description: "The tolerances of this certificate." },
    ),
  },
  { ...strict, description: "Certificate of the symmetry of a picture." },
);
export type Certificate = Static<typeof Certificate>;
