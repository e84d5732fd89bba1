import Type, { type Static } from "typebox";
import { EffectUse, styles } from "../../engine/index.ts";
import { strict } from "./resources/fields.ts";

export const Style = Type.Object(
  {
    name: Type.String({ description: "As `style` of a pattern takes it." }),
    title: Type.String(),
    description: Type.String(),
    seam: Type.Record(Type.String(), Type.Unknown(), {
      description: "What a pattern takes where its own seam says nothing.",
    }),
    effects: Type.Array(EffectUse, { description: "Done before the pattern's own." }),
    palette: Type.Union([Type.String(), Type.Null()], {
      description: "Where the pattern has none of its own.",
    }),
    surface_effects: Type.Array(EffectUse, {
      description: "Laid over sheets whose render names none.",
    }),
  },
  strict,
);

/** The looks that a pattern can take all at once. */
export function listStyles(): Static<typeof Style>[] {
  return styles.map(({ id, title, description, seam, effects, palette, surfaceEffects }) => ({
    name: id,
    title,
    description,
    seam: { ...seam },
    effects: effects.map((use) => ({ ...use })) as EffectUse[],
    palette,
    surface_effects: surfaceEffects.map((use) => ({ ...use })) as EffectUse[],
  }));
}
