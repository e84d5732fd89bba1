/** The picture in words, for those who do not see it. */
import type { Design, EffectUse } from "../../engine/core.ts";
import { groupTitle } from "../shared/groups.ts";
import { formatList, t, titleOf } from "../shared/messages.ts";
import { aperiodicTitle } from "./aperiodic.tsx";
import type { Draft } from "./draft.ts";
import { twoColourTitle } from "./symmetry.tsx";
import { effects, palettes, styles, surfaceEffects } from "./workspace.ts";

/** Returns the name of a picture, which begins with "Pattern" in English. */
export function patternInWords(
  { design, aperiodic, surfaceEffects: uses }: Draft,
  view: "tile" | "sheet" | "aperiodic",
): string {
  const { group, counterchange, style, palette } = design;
  const pattern = view === "aperiodic" ? aperiodicTitle(aperiodic.kind) : groupTitle(group);
  return [
    t("words.pattern", { pattern }),
    ...(view === "sheet" ? [t("words.repeated")] : []),
    ...(counterchange && view !== "aperiodic"
      ? [t("words.negative", { name: twoColourTitle(group, counterchange) })]
      : []),
    ...(style ? [t("words.style", { style: styleTitle(style) })] : []),
    ...(palette ? [t("words.palette", { palette: paletteTitle(palette) })] : []),
    ...chain("effect", design.effects),
    ...(view === "tile" ? [] : chain("surface", uses ?? [])),
  ].join(", ");
}

function chain(kind: "effect" | "surface", uses: readonly EffectUse[]): readonly string[] {
  const count = uses.length;
  if (count === 0) return [];
  const catalogue = kind === "effect" ? effects.value : surfaceEffects.value;
  const titles = uses.map(({ id }) =>
    titleOf(kind, id, catalogue.find((one) => one.id === id)?.title ?? id),
  );
  return [t(`uses.${kind}`, { count, titles: formatList(titles) })];
}

const styleTitle = (style: string) =>
  titleOf("style", style, styles.value.find(({ name }) => name === style)?.title ?? style);

function paletteTitle(palette: NonNullable<Design["palette"]>): string {
  if (typeof palette !== "string") return formatList(palette);
  const found = palettes.value.find(({ name }) => name === palette);
  return titleOf("palette", palette, found?.title ?? palette);
}
