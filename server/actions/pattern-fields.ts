/** Patterns as the API represents them. */
import Type, { type Static, type TSchema } from "typebox";
import { Value } from "typebox/value";
import type { Pattern as PatternRow } from "../../db/index.ts";
import {
  type Checked,
  checkDesign,
  type Design,
  GROUP_NAMES,
  type GroupName,
  groupOf,
  Lattice,
  Motif,
  PALETTE_SIZE,
  PatternCounterchange,
  PatternEffects,
  PatternPalette,
  PatternStyle,
  Seam,
  styles,
} from "../../engine/index.ts";
import { InvalidInput, issueAt } from "./errors.ts";
import { Id, Name, strict, Timestamp } from "./fields.ts";

/** A group by any of its usual names, see `readGroup`. */
export const GroupInput = Type.String({
  examples: ["p4"],
  description: `Wallpaper group: ${GROUP_NAMES.join(", ")}. Full Hermann–Mauguin (p4mm) and orbifold (*442) names are accepted, too.`,
});

/** Most characters of a name. */
export const NAME_LENGTH = 200;

const COLOURS_FROM = Type.Object(
  {
    from: Type.Integer({ ...Id, description: "Id of the source." }),
    count: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 16,
        description: `Number of colours. Default: ${PALETTE_SIZE}.`,
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'the colours of a source, as in {"from": 31}',
    description: "The main colours of one of your sources, as they are now.",
  },
);

const [COLOURS, NONE] = PatternPalette.anyOf;

/** What colours the pattern is mapped onto, given by name, one by one, or as those of a source. */
export const PaletteInput = Type.Union([COLOURS, COLOURS_FROM, NONE], {
  default: null,
  description:
    "Colours that the pattern is mapped onto, after its effects: the name of a palette, 2 to 16 colours of your own, or those of one of your sources.",
});
export type PaletteInput = Static<typeof PaletteInput>;

/** A seam without defaults, which may come from the style. */
const SeamInput = Type.Object(
  {
    method: withoutDefault(Seam.properties.method),
    width: withoutDefault(Seam.properties.width),
    preserve_contrast: withoutDefault(Seam.properties.preserve_contrast),
  },
  {
    additionalProperties: false,
    default: {},
    description:
      "How the edges of the fundamental domain are joined. Defaults come from the style, or are blend, 0.12, true.",
  },
);

export const AUTO = Type.Literal("auto", {
  title: '"auto"',
  description: "The best of `POST /sources/{id}/ideas` for the group.",
});

/** A motif, or "auto". */
const MotifInput = Type.Union([Motif, AUTO], {
  description: `Part of the source that fills the fundamental domain. "auto" finds a part that shows the picture's subject, as \`POST /sources/{id}/ideas\` does, when the pattern is created. Default: the middle; "auto" for pictures of which one side is more than twice the other.`,
});

export const patternFields = {
  source_id: Id,
  group: GroupInput,
  name: Type.Union([Name(NAME_LENGTH), Type.Null()], {
    default: null,
    description: "Display name.",
  }),
  motif: Type.Optional(MotifInput),
  lattice: Type.Object(Lattice.properties, { ...Lattice, default: {} }),
  counterchange: PatternCounterchange,
  seam: SeamInput,
  effects: PatternEffects,
  palette: PaletteInput,
  style: PatternStyle,
  background: Type.Union(
    [Type.String({ pattern: "^#[0-9a-fA-F]{6}$", title: "a colour such as #1a2b3c" }), Type.Null()],
    {
      default: null,
      description: "Colour behind transparent pixels, or null to keep them transparent.",
    },
  ),
};

/** Returns the short name of a group by any of its usual names. Throws InvalidInput. */
export function readGroup(text: string, path = "/group"): GroupName {
  const group = groupOf(text);
  if (group) return group;
  const expected = `one of ${GROUP_NAMES.join(", ")}`;
  throw new InvalidInput([issueAt(path, text, expected, "is no wallpaper group")]);
}

/** Returns a complete seam: given fields, then those of the style, then defaults. */
export function seamWith(style: string | null, given: Partial<Seam>): Seam {
  const ofStyle = styles.find(({ id }) => id === style)?.seam;
  return { ...Value.Create(Seam), ...ofStyle, ...given };
}

/** Returns an optional copy of a schema without its default, including non-enumerable marks. */
export function withoutDefault<Schema extends TSchema>(schema: Schema) {
  const { default: _, ...marks } = Object.getOwnPropertyDescriptors(schema);
  return Type.Optional(Object.defineProperties({}, marks) as Schema);
}

export const patternExample = {
  id: 12,
  source_id: 31,
  name: "Summer tiles",
  group: "p4",
  motif: { x: 0.5, y: 0.5, scale: 1, rotation: 45 },
  lattice: { ratio: 1, repeat: "straight" },
  counterchange: null,
  seam: { method: "blend", width: 0.12, preserve_contrast: true },
  effects: [{ id: "contrast", params: { amount: 0.3 } }],
  palette: "lagoon",
  style: null,
  background: null,
  created_at: "2026-01-31T12:00:00.000Z",
  updated_at: "2026-01-31T12:05:00.000Z",
};

export const Pattern = Type.Object(
  {
    id: Id,
    source_id: Id,
    group: Type.Enum([...GROUP_NAMES], { description: "Short name of the wallpaper group." }),
    name: Type.Union([Type.String(), Type.Null()]),
    motif: Motif,
    lattice: Lattice,
    counterchange: PatternCounterchange,
    seam: Seam,
    effects: PatternEffects,
    palette: PatternPalette,
    style: PatternStyle,
    background: Type.Union([Type.String(), Type.Null()], {
      description: "Colour behind transparent pixels, or null to keep them transparent.",
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    ...strict,
    description: "A source under a wallpaper group.",
    examples: [patternExample],
  },
);
export type Pattern = Static<typeof Pattern>;

/** Returns the fields of a pattern that determine its pixels, by the schemas of its columns. */
export function designFields(row: PatternRow): Design {
  const { group, motif, lattice, counterchange, seam, effects, palette, style, background } = row;
  const ofGroup = { group, motif, lattice, counterchange, seam };
  return { ...ofGroup, effects, palette, style, background } as Design;
}

/**
 * Returns the design of a stored pattern. Checks it once more: an earlier release may have written it.
 * Throws `InvalidRecipe`.
 */
export const designOf = (row: PatternRow): Checked<Design> => checkDesign(designFields(row));

/** Returns a pattern as the API represents it. */
export function toPatternResponse(row: PatternRow): Pattern {
  return {
    id: row.id,
    source_id: row.source_id,
    name: row.name,
    ...(designFields(row) as Pick<Pattern, keyof Design>),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
