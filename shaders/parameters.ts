/** Schemas of common parameters. */
import Type from "typebox";
import { palettes } from "./palettes.ts";

/** Share of an effect in the result; 0 changes nothing. */
export const Strength = (preset: number, description: string) =>
  Type.Number({ minimum: 0, maximum: 1, default: preset, description });

/** Seed of random positions. */
export const Seed = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 4294967295, default: 1, description });

/** Schema of a colour as `#rrggbb`, to be completed. */
export const colour = {
  pattern: "^#[0-9a-fA-F]{6}$",
  title: "a colour such as #1a2b3c",
};

/** A colour as `#rrggbb`. */
export const Colour = (preset: string, description: string) =>
  Type.String({ ...colour, default: preset, description });

const paletteIds = palettes.map(({ id }) => id);

/** Colours to draw with: the id of a palette, or 2 to 16 colours of one's own as `#rrggbb`. */
export const PaletteChoice = (options: {
  readonly default?: string | readonly string[];
  readonly description: string;
}) =>
  Type.Union(
    [Type.Enum(paletteIds), Type.Array(Type.String(colour), { minItems: 2, maxItems: 16 })],
    {
      title: `a palette (${paletteIds.join(", ")}) or a list of 2 to 16 colours such as #1a2b3c`,
      ...options,
    },
  );
