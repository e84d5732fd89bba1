/** The picture in words, for those who do not see it. */
import { aperiodicTitle } from "./aperiodic.tsx";
import type { Draft } from "./draft.ts";
import { groupTitle } from "./groups.ts";

/** Returns the name of a picture, which begins with "Pattern". */
export function patternInWords(
  { design, aperiodic }: Draft,
  view: "tile" | "sheet" | "aperiodic",
): string {
  const { group, style, palette, effects } = design;
  const isAperiodic = view === "aperiodic";
  return [
    `Pattern: ${isAperiodic ? aperiodicTitle(aperiodic.kind) : groupTitle(group)}`,
    ...(view === "sheet" ? ["repeated over the plane"] : []),
    ...(style ? [`style ${style}`] : []),
    ...(palette ? [`palette ${palette}`] : []),
    ...(effects.length > 0 ? [`effects ${effects.map(({ id }) => id).join(", ")}`] : []),
  ].join(", ");
}
