/** A pattern as its owner sees it. */
import Type, { type Static } from "typebox";
import type { Pattern as PatternRow } from "../../../db/index.ts";
import {
  type Design,
  GROUP_NAMES,
  type GroupName,
  Lattice,
  Motif,
  PatternEffects,
  PatternPalette,
  PatternStyle,
  Seam,
} from "../../../engine/index.ts";
import { Id, Moment, strict } from "./fields.ts";

export const Pattern = Type.Object(
  {
    id: Id,
    source_id: Id,
    group: Type.Enum([...GROUP_NAMES], { description: "Short name of the wallpaper group." }),
    name: Type.Union([Type.String(), Type.Null()]),
    motif: Motif,
    lattice: Lattice,
    seam: Seam,
    effects: PatternEffects,
    palette: PatternPalette,
    style: PatternStyle,
    background: Type.Union([Type.String(), Type.Null()], {
      description: "Colour under transparent places, or null to keep them transparent.",
    }),
    created_at: Moment,
    updated_at: Moment,
  },
  {
    ...strict,
    description: "A source under a wallpaper group.",
    examples: [
      {
        id: 12,
        source_id: 31,
        name: "Summer tiles",
        group: "p4",
        motif: { x: 0.5, y: 0.5, scale: 1, rotation: 45 },
        lattice: { ratio: 1, repeat: "straight" },
        seam: { method: "blend", width: 0.12, preserve_contrast: true },
        effects: [{ id: "contrast", params: { amount: 0.3 } }],
        palette: "lagoon",
        style: null,
        background: null,
        created_at: "2026-01-31T12:00:00.000Z",
        updated_at: "2026-01-31T12:05:00.000Z",
      },
    ],
  },
);
export type Pattern = Static<typeof Pattern>;

/** What of a stored pattern changes its pixels. Its JSON columns were checked when they were written. */
export function designOf(row: PatternRow): Design {
  return {
    group: row.group as GroupName,
    motif: row.motif as Motif,
    lattice: row.lattice as Lattice,
    seam: row.seam as Seam,
    effects: row.effects as Design["effects"],
    palette: row.palette as Design["palette"],
    style: row.style,
    background: row.background,
  };
}

/** The stored pattern as it is shown. */
export function showPattern(row: PatternRow): Pattern {
  return {
    id: row.id,
    source_id: row.source_id,
    name: row.name,
    ...(designOf(row) as Pick<Pattern, keyof Design>),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
