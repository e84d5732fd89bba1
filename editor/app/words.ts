/** The picture in words, for those who do not see it. */
import type { EffectUse } from "../../engine/core.ts";
import { groupTitle } from "../shared/groups.ts";
import { aperiodicTitle } from "./aperiodic.tsx";
import type { Draft } from "./draft.ts";

/** Returns the name of a picture, which begins with "Pattern". */
export function patternInWords(
  { design, aperiodic, surfaceEffects }: Draft,
  view: "tile" | "sheet" | "aperiodic",
): string {
  const { group, style, palette, effects } = design;
  const isAperiodic = view === "aperiodic";
  return [
    `Pattern: ${isAperiodic ? aperiodicTitle(aperiodic.kind) : groupTitle(group)}`,
    ...(view === "sheet" ? ["repeated over the plane"] : []),
    ...(style ? [`style ${style}`] : []),
    ...(palette ? [`palette ${palette}`] : []),
    ...chain("effects", effects),
    ...(view === "tile" ? [] : chain("surface", surfaceEffects ?? [])),
  ].join(", ");
}

const chain = (name: string, uses: readonly EffectUse[]) =>
  uses.length > 0 ? [`${name} ${uses.map(({ id }) => id).join(" and ")}`] : [];
