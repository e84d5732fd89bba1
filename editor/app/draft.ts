/** What is designed: a source, and how it becomes a pattern. */
import type { Aperiodic, Design, EffectUse } from "../../engine/core.ts";
import type { Source } from "../../server/actions/sources.ts";

export interface Draft {
  readonly source: Source | null;
  readonly design: Design;
  /** Effects on sheets; null for those of the style. */
  readonly surfaceEffects: readonly EffectUse[] | null;
  readonly aperiodic: Aperiodic;
}

/** The seam of patterns without a style; the API has the same defaults. */
export const PLAIN_SEAM: Design["seam"] = { method: "blend", width: 0.12, preserve_contrast: true };

export const FIRST_DRAFT: Draft = {
  source: null,
  design: {
    group: "p4",
    motif: { x: 0.5, y: 0.5, scale: 1, rotation: 0 },
    lattice: { ratio: 1, repeat: "straight" },
    seam: PLAIN_SEAM,
    effects: [],
    palette: null,
    style: null,
    background: null,
  },
  surfaceEffects: null,
  aperiodic: {
    kind: "penrose_p3",
    n: 7,
    fill: "image",
    outline_width: 0.03,
    outline_colour: "#1b1b1f",
    seed: 1,
  },
};

/** Returns whether something that was kept has all fields of a draft; older versions kept other ones. */
export const isDraft = (kept: unknown): kept is Draft => hasShapeOf(kept, FIRST_DRAFT);

/** What is null in the model may be anything: it is checked when it is used. */
function hasShapeOf(kept: unknown, model: unknown): boolean {
  if (model === null) return kept !== undefined;
  if (Array.isArray(model)) return Array.isArray(kept);
  if (typeof model !== "object") return typeof kept === typeof model;
  if (typeof kept !== "object" || kept === null) return false;
  const fields = new Map(Object.entries(kept));
  return Object.entries(model).every(([name, value]) => hasShapeOf(fields.get(name), value));
}
