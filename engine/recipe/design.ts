/** The fields of a pattern: how its source becomes a pattern. */
import Type, { type Static } from "typebox";
import { Value } from "typebox/value";
import { PaletteChoice } from "../../shaders/parameters.ts";
import { styles } from "../../shaders/styles.ts";
import { COUNTERCHANGES, type Counterchange } from "./counterchanges.ts";
import type { GroupName } from "./groups.ts";
import { LIMITS } from "./limits.ts";

const strict = { additionalProperties: false } as const;

export const Motif = Type.Object(
  {
    x: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description: "Centre of the motif in the source, from the left edge (0) to the right (1).",
    }),
    y: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description: "Centre of the motif in the source, from the top (0) to the bottom (1).",
    }),
    scale: Type.Number({
      minimum: 0.05,
      maximum: 20,
      default: 1,
      description:
        "Size of the motif. 1: the fundamental domain's bounding box just fits into the source; 2: everything is twice as large.",
    }),
    rotation: Type.Number({
      minimum: -360,
      maximum: 360,
      default: 0,
      description: "Clockwise rotation of the source under the fundamental domain, in degrees.",
    }),
    sampling: Type.Optional(
      Type.Enum(["smooth", "pixel"], {
        default: "smooth",
        description:
          "How the source is enlarged. smooth: sharp and without steps, for photographs. pixel: each pixel stays a square of one colour, for pixel art.",
      }),
    ),
  },
  { ...strict, description: "Part of the source that fills the fundamental domain." },
);
export type Motif = Static<typeof Motif>;

export const Lattice = Type.Object(
  {
    ratio: Type.Number({
      minimum: 0.25,
      maximum: 4,
      default: 1,
      description:
        "Height divided by width of the cell, for the oblique and rectangular groups; it is fixed for square and hexagonal groups.",
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
    method: Type.Enum(["blend", "cut", "fold", "average"], {
      default: "blend",
      description:
        "blend: sharp inside, soft across edges that are not mirrors. cut: joined along the lines where the pictures that meet differ least, with colours that meet. fold: kaleidoscope, seamless only where all edges are mirrors (pmm, p4m, p3m1, p6m). average: every element of the point group is mixed.",
    }),
    width: Type.Number({
      minimum: 0,
      maximum: 0.5,
      default: 0.12,
      description:
        "Width of the soft zone, in edges of the cell; of `cut`, how far the lines may leave the straight edges.",
    }),
    preserve_contrast: Type.Boolean({
      default: true,
      description: "Restore the contrast that mixing reduces.",
    }),
  },
  { ...strict, description: "How the edges of the fundamental domain are joined." },
);
export type Seam = Static<typeof Seam>;

export const EffectUse = Type.Object(
  {
    id: Type.String({ description: "Id of the effect." }),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Parameters by name; omitted ones have defaults.",
      }),
    ),
  },
  { ...strict, description: "One step of a chain of effects." },
);
export type EffectUse = Static<typeof EffectUse>;

export const PatternEffects = Type.Array(EffectUse, {
  maxItems: LIMITS.effects,
  default: [],
  description: "Effects on the pattern, in order; they keep its symmetry.",
});

/** The name of a palette, or colours as `#rrggbb`. */
export type Colours = string | readonly string[];

/** A palette, by its name or by its colours, or null. */
export const ColoursOrNull = (description: string) => {
  const choice = PaletteChoice({ description });
  return Type.Union([choice, Type.Null()], { default: null, description });
};

export const PatternPalette = ColoursOrNull(
  "Colours that the pattern is mapped onto, after its effects: the name of a palette, or 2 to 16 colours of your own.",
);

/** Number of colours of a palette that is taken from a picture, unless another is asked for. */
export const PALETTE_SIZE = 8;

export const PatternStyle = Type.Union([Type.Enum(styles.map(({ id }) => id)), Type.Null()], {
  default: null,
  description:
    "A named combination of settings. Its effects are applied before the pattern's own; its palette, seam and surface effects are defaults.",
});

export const CounterchangeName = Type.Enum(
  [...new Set(Object.values(COUNTERCHANGES).flat())].sort(),
);

export const PatternCounterchange = Type.Union([CounterchangeName, Type.Null()], {
  default: null,
  description: `Shows the picture beside its negative: some operations of the group turn one into the other, and those that keep the colours are the group of this name. It has to suit the group: set both together. ${listOfCounterchanges()}.`,
});

function listOfCounterchanges(): string {
  return Object.entries(COUNTERCHANGES)
    .map(([group, names]) => `${group}: ${names.join(", ") || "none"}`)
    .join("; ");
}

/** Everything that determines a pattern's pixels except the bytes of its source. */
export interface Design {
  readonly group: GroupName;
  readonly motif: Motif;
  readonly lattice: Lattice;
  /** Which operations keep the colours, where others turn the picture into its negative; or null. */
  readonly counterchange: Counterchange | null;
  readonly seam: Seam;
  readonly effects: readonly EffectUse[];
  readonly palette: Colours | null;
  /** A style's name. Its seam was copied to `seam` when the pattern was created. */
  readonly style: string | null;
  /** Background `#rrggbb` of transparent pixels, or null to keep transparency. */
  readonly background: string | null;
}

/** Returns the design of a group with defaults for everything else. */
export function plainDesign(group: GroupName): Design {
  return {
    group,
    motif: Value.Create(Motif),
    lattice: Value.Create(Lattice),
    counterchange: null,
    seam: Value.Create(Seam),
    effects: [],
    palette: null,
    style: null,
    background: null,
  };
}
