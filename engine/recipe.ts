/**
 * What a picture is made of, as plain data: the fields of a pattern and of a render request.
 * One TypeBox schema gives the static type, the run-time check, the OpenAPI document and the
 * database's JSON columns their shape; names are those of the interface document.
 */
import Type, { type Static } from "typebox";

/** The 17 plane groups by their short names, in the order of the International Tables. */
export const GROUP_NAMES = [
  "p1",
  "p2",
  "pm",
  "pg",
  "cm",
  "pmm",
  "pmg",
  "pgg",
  "cmm",
  "p4",
  "p4m",
  "p4g",
  "p3",
  "p3m1",
  "p31m",
  "p6",
  "p6m",
] as const;

export type GroupName = (typeof GROUP_NAMES)[number];

const strict = { additionalProperties: false } as const;

export const Motif = Type.Object(
  {
    x: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description:
        "Where in the source the middle of the motif lies, from its left edge (0) to its right (1).",
    }),
    y: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description:
        "Where in the source the middle of the motif lies, from its top (0) to its bottom (1).",
    }),
    scale: Type.Number({
      minimum: 0.05,
      maximum: 20,
      default: 1,
      description:
        "Size of the motif. 1: the fundamental domain's box just fits into the source; 2: everything in the picture is twice as large.",
    }),
    rotation: Type.Number({
      minimum: -360,
      maximum: 360,
      default: 0,
      description: "Degrees by which the source is turned clockwise under the fundamental domain.",
    }),
  },
  { ...strict, description: "Which part of the source is laid on the fundamental domain." },
);
export type Motif = Static<typeof Motif>;

export const Lattice = Type.Object(
  {
    ratio: Type.Number({
      minimum: 0.25,
      maximum: 4,
      default: 1,
      description:
        "Height divided by width of the cell, for the oblique and rectangular groups; square and hexagonal groups have no choice.",
    }),
    repeat: Type.Enum(["straight", "half_drop", "brick"], {
      default: "straight",
      description:
        "p1 and p2 only. half_drop: each column of cells is shifted down by half a cell; brick: each row is shifted right by half a cell.",
    }),
  },
  { ...strict, description: "Shape of the lattice." },
);
export type Lattice = Static<typeof Lattice>;

export const Seam = Type.Object(
  {
    method: Type.Enum(["blend", "fold", "average"], {
      default: "blend",
      description:
        "blend: sharp inside, soft across edges that are not mirrors. fold: kaleidoscope, seamless only where all edges are mirrors (pmm, p4m, p3m1, p6m). average: every element of the point group is mixed.",
    }),
    width: Type.Number({
      minimum: 0,
      maximum: 0.5,
      default: 0.12,
      description: "Width of the soft zone, in edges of the cell.",
    }),
    preserve_contrast: Type.Boolean({
      default: true,
      description: "Give mixed places back the contrast that mixing takes away.",
    }),
  },
  { ...strict, description: "How the edges of the fundamental domain are joined." },
);
export type Seam = Static<typeof Seam>;

/** Everything about a pattern that changes its pixels, apart from the bytes of the source. */
export interface Design {
  readonly group: GroupName;
  readonly motif: Motif;
  readonly lattice: Lattice;
  readonly seam: Seam;
  /** `#rrggbb` laid under transparent places, or null to keep them transparent. */
  readonly background: string | null;
}

const HEX_CELLS = ["2x1", "5x3", "7x4", "26x15"] as const;

export const FORMATS = ["png", "jpeg", "webp"] as const;
export type Format = (typeof FORMATS)[number];

export const LIMITS = {
  tile: { minimum: 16, maximum: 8192, default: 1024 },
  surface: { minimum: 16, maximum: 20000, maximumPixels: 400_000_000 },
  cell: { minimum: 8, maximum: 20000 },
  /** JPEG and WebP are encoded from a whole picture in memory, PNG is not. */
  wholePicturePixels: 64_000_000,
  webpSide: 16383,
  effects: 16,
  source: { bytes: 32 * 1024 * 1024, pixels: 50_000_000 },
} as const;

export const EffectUse = Type.Object(
  {
    id: Type.String({ description: "Name of the effect, from the list of effects." }),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Parameters by name; what is left out takes its default.",
      }),
    ),
  },
  { ...strict, description: "One step of a chain of effects." },
);
export type EffectUse = Static<typeof EffectUse>;

/** Body of a render request, and with the same names its query string. */
export const RenderFields = Type.Object(
  {
    mode: Type.Enum(["tile", "surface"], {
      default: "tile",
      description: "tile: one square that repeats. surface: a sheet of any size.",
    }),
    size: Type.Integer({
      minimum: LIMITS.tile.minimum,
      maximum: LIMITS.tile.maximum,
      default: LIMITS.tile.default,
      description: "Edge of the square tile in pixels.",
    }),
    format: Type.Enum([...FORMATS], { default: "png", description: "Format of the picture." }),
    quality: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 90,
      description: "Quality of the lossy formats.",
    }),
    dpi: Type.Number({
      minimum: 1,
      maximum: 2400,
      default: 300,
      description: "Pixels per inch written into the file (PNG and JPEG); it changes no pixel.",
    }),
    hex_cells: Type.Enum([...HEX_CELLS], {
      default: "7x4",
      description:
        "Hexagonal groups on a square tile: how many rectangular cells it holds, across × down. The more, the smaller the strain: 15.5 %, 3.9 %, 1.04 %, 0.074 %.",
    }),
    surface_width: Type.Optional(
      Type.Integer({
        minimum: LIMITS.surface.minimum,
        maximum: LIMITS.surface.maximum,
        description: "Width of the sheet in pixels (surface only).",
      }),
    ),
    surface_height: Type.Optional(
      Type.Integer({
        minimum: LIMITS.surface.minimum,
        maximum: LIMITS.surface.maximum,
        description: "Height of the sheet in pixels (surface only).",
      }),
    ),
    cell: Type.Optional(
      Type.Number({
        minimum: LIMITS.cell.minimum,
        maximum: LIMITS.cell.maximum,
        description:
          "Edge a of one conventional cell in pixels (surface only). Left out, the sheet shows the pattern at the scale of a tile of the same size.",
      }),
    ),
    rotation: Type.Number({
      minimum: -360,
      maximum: 360,
      default: 0,
      description: "Degrees by which the pattern is turned clockwise on the sheet (surface only).",
    }),
    offset: Type.Object(
      {
        x: Type.Number({
          minimum: -100000,
          maximum: 100000,
          default: 0,
          description: "Pixels to the right.",
        }),
        y: Type.Number({
          minimum: -100000,
          maximum: 100000,
          default: 0,
          description: "Pixels down.",
        }),
      },
      {
        ...strict,
        default: { x: 0, y: 0 },
        description: "Where on the sheet the pattern's origin lies (surface only).",
      },
    ),
    surface_effects: Type.Array(EffectUse, {
      maxItems: LIMITS.effects,
      default: [],
      description: "Effects laid over the sheet, in order (surface only).",
    }),
  },
  { ...strict, description: "What picture to make of the pattern." },
);
export type RenderFields = Static<typeof RenderFields>;
