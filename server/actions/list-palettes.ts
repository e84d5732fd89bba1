import Type, { type Static } from "typebox";
import { palettes } from "../../engine/index.ts";
import { strict } from "./resources/fields.ts";

export const Palette = Type.Object(
  {
    name: Type.String({ description: "As `palette` of a pattern or of a preset takes it." }),
    title: Type.String(),
    colours: Type.Array(Type.String(), { description: "The colours as `#rrggbb`." }),
  },
  strict,
);

/** The palettes that patterns are mapped onto and presets are drawn with. */
export function listPalettes(): Static<typeof Palette>[] {
  return palettes.map(({ id, title, colours }) => ({ name: id, title, colours: [...colours] }));
}
