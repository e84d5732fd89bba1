/** What is designed: a source, and how it becomes a pattern. */
import type { Aperiodic, Design, EffectUse } from "../../engine/core.ts";
import type { Source } from "../../server/actions/sources.ts";
import { checkDrafts } from "../shared/engine.ts";

export interface Draft {
  readonly source: Source | null;
  readonly design: Design;
  /** Effects on sheets; null for those of the style. */
  readonly surfaceEffects: readonly EffectUse[] | null;
  readonly aperiodic: Aperiodic;
}

/** A draft without its picture: what others can make of pictures of their own. */
export type Recipe = Omit<Draft, "source">;

/** The seam of patterns without a style; the API has the same defaults. */
export const PLAIN_SEAM: Design["seam"] = { method: "blend", width: 0.12, preserve_contrast: true };

export const FIRST_DRAFT: Draft = {
  source: null,
  design: {
    group: "p4",
    motif: { x: 0.5, y: 0.5, scale: 1, rotation: 0 },
    lattice: { ratio: 1, repeat: "straight" },
    counterchange: null,
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
    outline_colour: "#1b1b1f",
    seed: 1,
  },
};

/** Resolves with fields from outside as a recipe. Rejects with what the engine finds wrong with them. */
export async function checkRecipe(fields: object): Promise<Recipe> {
  const [problem] = await checkDrafts([{ ...fields, source: null }]);
  if (problem) throw new Error(problem);
  return fields as Recipe;
}
