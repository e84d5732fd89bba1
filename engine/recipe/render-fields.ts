/** The fields of a render request. */
import Type, { type Static } from "typebox";
import { Colour } from "../../shaders/parameters.ts";
import { EffectUse } from "./design.ts";
import { FORMATS, formatFacts } from "./formats.ts";
import { FRIEZE_NAMES } from "./friezes.ts";
import { LIMITS } from "./limits.ts";

const strict = { additionalProperties: false } as const;

/** Lists the formats that have a limit, each with its value. */
const bounds = (name: "maximumPixels" | "maximumSide") =>
  FORMATS.filter((format) => formatFacts[format][name] !== undefined)
    .map((format) => `${format} ${formatFacts[format][name]}`)
    .join(", ");

const lossy = FORMATS.filter((format) => formatFacts[format].lossy).join(", ");

export const HEX_CELLS = ["2x1", "5x3", "7x4", "26x15"] as const;

export const TILING_NAMES = [
  "penrose_p3",
  "penrose_p2",
  "ammann_beenker",
  "multigrid",
  "hat",
  "spectre",
] as const;

export type TilingName = (typeof TILING_NAMES)[number];

/** Aperiodic kinds in display order: tilings, and a field of waves. */
export const APERIODIC_KINDS = [...TILING_NAMES, "quasicrystal"] as const;

export const Aperiodic = Type.Object(
  {
    kind: Type.Enum([...APERIODIC_KINDS], {
      default: "penrose_p3",
      description:
        "penrose_p3: thick and thin rhombs. penrose_p2: kites and darts. ammann_beenker: squares and 45° rhombs. multigrid: rhombs in n directions. hat, spectre: a single tile. quasicrystal: waves in n directions.",
    }),
    n: Type.Integer({
      minimum: 5,
      maximum: 13,
      default: 7,
      description: "Number of directions (multigrid and quasicrystal only).",
    }),
    fill: Type.Enum(["image", "flat", "varied"], {
      default: "image",
      description:
        "image: tiles show the source. flat: its main colours, one for each kind of tile. varied: its colours, one for each orientation. In a quasicrystal both are steps of colour.",
    }),
    variation: Type.Optional(
      Type.Enum(["none", "turns", "parts"], {
        default: "none",
        description:
          "What tiles of a kind show (fill image). none: the same part of the source. turns: that part, each turned by another angle. parts: different parts of the whole source, half as large, wherever the motif is. The tile's place and the seed decide.",
      }),
    ),
    blend: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 0.5,
        description:
          "Width of the zone in which pictures of tiles run into each other (fill image), as a share of the side of a square with the area of the largest tile. 0: they end sharply. Default: 0.25; 0 with an `outline_width`.",
      }),
    ),
    outline_width: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 0.5,
        description:
          "Width of the lines between tiles, as a share of the same side. Default: 0.03 where tiles end sharply, else 0.",
      }),
    ),
    outline_colour: Colour("#1b1b1f", "Colour of the lines between tiles."),
    seed: Type.Integer({
      minimum: 0,
      maximum: 4294967295,
      default: 1,
      description: "Selects the visible part of the infinite tiling.",
    }),
  },
  { ...strict, description: "Tiling of a sheet in mode aperiodic." },
);
export type Aperiodic = Static<typeof Aperiodic>;

const friezeFields = {
  group: Type.Enum([...FRIEZE_NAMES], {
    description:
      "Frieze group. p1: translations. p211: half turns. p1m1: mirrors across the strip. p11m: one along it. p11g: glide reflections. p2mm: mirrors across and along. p2mg: mirrors across, half turns between them.",
  }),
  repeats: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 4,
    description: "How often the strip repeats along its length; its ends meet.",
  }),
};

const FRIEZE = "Strip of mode frieze. The pattern's own group and lattice have no influence.";

/** Frieze of a print, whose length and height are those of the trimmed sheet. */
export const PrintFrieze = Type.Object(friezeFields, {
  ...strict,
  description: FRIEZE,
  examples: [{ group: "p2mg", repeats: 8 }],
});

const StripSide = (what: string, side: string) =>
  Type.Optional(
    Type.Number({
      minimum: LIMITS.surface.minimum,
      maximum: LIMITS.surface.maximum,
      description: `${what} of the strip in pixels. Default: \`${side}\`. A larger sheet shows more repeats at its ends, and mirror images above and below.`,
    }),
  );

const RenderFrieze = Type.Object(
  {
    ...friezeFields,
    length: StripSide("Length", "surface_width"),
    height: StripSide("Height", "surface_height"),
  },
  { ...strict, description: FRIEZE, examples: [{ group: "p2mg", repeats: 8 }] },
);
export type Frieze = Static<typeof RenderFrieze>;

export const Rosette = Type.Object(
  {
    fold: Type.Integer({
      minimum: 1,
      maximum: 36,
      default: 8,
      description: "How many rotations map the rosette onto itself: those by 360°/fold.",
    }),
    mirrors: Type.Boolean({
      default: true,
      description:
        "true: as many mirrors pass through the centre (dihedral). false: rotations only (cyclic).",
    }),
    shape: Type.Enum(["disc", "sheet"], {
      default: "disc",
      description:
        "disc: what lies outside a circle is transparent, or of the pattern's background; white in formats without transparency. sheet: the rosette goes on to the edges of the sheet, whose corners may lie 1.25 diameters from the centre.",
    }),
  },
  {
    ...strict,
    description:
      "Rosette of mode rosette. The pattern's own group and lattice have no influence. A seam is needed without mirrors only; the method average does what blend does.",
    examples: [{ fold: 12, mirrors: true, shape: "disc" }],
  },
);
export type Rosette = Static<typeof Rosette>;

/** Body of a render request, and with the same names its query string. */
export const RenderFields = Type.Object(
  {
    mode: Type.Enum(["tile", "surface", "aperiodic", "frieze", "rosette"], {
      default: "tile",
      description:
        "tile: a picture that repeats. surface: a sheet of any size. aperiodic: a sheet whose tiles never repeat, each filled from the source. frieze: a strip that repeats along its length. rosette: a disc or sheet that is symmetric about its centre.",
    }),
    size: Type.Integer({
      minimum: LIMITS.tile.minimum,
      maximum: LIMITS.tile.maximum,
      default: LIMITS.tile.default,
      description: "Longer side of the tile in pixels.",
    }),
    tile: Type.Enum(["square", "cell"], {
      default: "square",
      description:
        "Shape of the tile. square: whole periods in a square, which may distort them slightly. cell: the smallest upright rectangle that repeats, in its true shape: 1 : √3 for the hexagonal groups, by the lattice's ratio for others, two rows or columns for half_drop and brick. Its shorter side is rounded to an even number of pixels.",
    }),
    format: Type.Enum([...FORMATS], {
      default: "png",
      description: `Format of the picture. All but png are encoded from a whole picture in memory. Maximum pixels: ${bounds("maximumPixels")}; maximum side: ${bounds("maximumSide")}.`,
    }),
    quality: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 90,
      description: `Quality of the lossy formats: ${lossy}.`,
    }),
    dpi: Type.Number({
      minimum: 1,
      maximum: 2400,
      default: 300,
      description:
        "Pixels per inch, in the file's metadata. Surface effects have lengths in millimetres: for a proof with half as many pixels, halve it.",
    }),
    hex_cells: Type.Enum([...HEX_CELLS], {
      default: "7x4",
      description:
        "Hexagonal groups on a tile of shape square: number of rectangular cells, across × down. More cells reduce the strain: 15.5 %, 3.9 %, 1.04 %, 0.074 %.",
    }),
    surface_width: Type.Optional(
      Type.Integer({
        minimum: LIMITS.surface.minimum,
        maximum: LIMITS.surface.maximum,
        description:
          "Width of the sheet in pixels (surface; aperiodic, frieze and rosette: default `size`).",
      }),
    ),
    surface_height: Type.Optional(
      Type.Integer({
        minimum: LIMITS.surface.minimum,
        maximum: LIMITS.surface.maximum,
        description:
          "Height of the sheet in pixels (surface; aperiodic, frieze and rosette: default `size`).",
      }),
    ),
    cell: Type.Optional(
      Type.Number({
        minimum: LIMITS.cell.minimum,
        maximum: LIMITS.cell.maximum,
        description:
          "Edge a of one conventional cell in pixels (surface), or of one aperiodic tile, or the diameter of a rosette. Default: the scale of a tile of the same size; the largest aperiodic tile has the area of a square with an eighth of it; a rosette has the sheet's shorter side.",
      }),
    ),
    rotation: Type.Number({
      minimum: -360,
      maximum: 360,
      default: 0,
      description:
        "Clockwise rotation of the pattern on the sheet, in degrees (surface, aperiodic and rosette).",
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
        description:
          "Position of the pattern's origin on the sheet (surface, aperiodic and frieze), or of a rosette's centre from the centre of the sheet.",
      },
    ),
    surface_effects: Type.Optional(
      Type.Array(EffectUse, {
        maxItems: LIMITS.effects,
        description: `Effects on the sheet, in order (not for tiles), with a total reach of at most ${LIMITS.surfaceReach} pixels. Default: those of the pattern's style.`,
      }),
    ),
    aperiodic: Type.Object(Aperiodic.properties, { ...Aperiodic, default: {} }),
    frieze: Type.Optional(RenderFrieze),
    rosette: Type.Object(Rosette.properties, { ...Rosette, default: {} }),
  },
  { ...strict, description: "Fields of a render." },
);
export type RenderFields = Static<typeof RenderFields>;
