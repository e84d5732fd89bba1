import Type, { type Static } from "typebox";
import { presets } from "../../engine/index.ts";
import { PresetSource } from "./create-preset-source.ts";
import { Parameters, strict } from "./resources/fields.ts";

export const Preset = Type.Object(
  {
    name: Type.String({ description: "As `preset` of a source takes it." }),
    title: Type.String(),
    description: Type.String(),
    parameters: Parameters,
  },
  strict,
);

const { preset: _, ...parameters } = PresetSource.properties;

/** The presets that sources are made from. */
export function listPresets(): Static<typeof Preset>[] {
  return presets.map(({ id, title, description }) => ({
    name: id,
    title,
    description,
    parameters,
  }));
}
