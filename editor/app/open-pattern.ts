/** Opens the saved pattern that the page's address names: `/editor#pattern=12`. */
import type { Pattern } from "../../server/actions/pattern-fields.ts";
import type { Source } from "../../server/actions/sources.ts";
import { call } from "../shared/api.ts";
import type { Draft } from "./draft.ts";

/**
 * Resolves with the pattern as a draft; null where the address names none. The name is taken out of the
 * address, so that a reload continues the draft. Rejects with `ApiError`.
 */
export async function patternInAddress(
  token: string,
): Promise<{ readonly id: number; readonly draft: Omit<Draft, "aperiodic"> } | null> {
  const [, id] = /^#pattern=(\d+)$/.exec(location.hash) ?? [];
  if (id === undefined) return null;
  const pattern = await call<Pattern>("GET", `patterns/${id}`, { token });
  const { group, motif, lattice, counterchange, seam, ...look } = pattern;
  const { effects, palette, style, background } = look;
  const source = await call<Source>("GET", `sources/${pattern.source_id}`, { token });
  history.replaceState(null, "", location.pathname + location.search);
  const ofGroup = { group, motif, lattice, counterchange, seam };
  const design = { ...ofGroup, effects, palette, style, background };
  return { id: pattern.id, draft: { source, design, surfaceEffects: null } };
}
