/** The catalogues as the API represents them. */
import Type, { type Static } from "typebox";
import {
  COUNTERCHANGES,
  CounterchangeName,
  EffectUse,
  groups,
  palettes,
  patternEffects,
  presets,
  products,
  styles,
  surfaceEffects,
} from "../../engine/index.ts";
import { Parameters, strict } from "./fields.ts";
import { PresetSource } from "./sources.ts";

export const Group = Type.Object(
  {
    name: Type.String({ description: "Short name, the value for `group` of a pattern." }),
    hermann_mauguin: Type.String({ description: "Full Hermann–Mauguin symbol." }),
    orbifold: Type.String({ description: "Conway's orbifold symbol." }),
    lattice: Type.String({ description: "Shape of the cell." }),
    counterchanges: Type.Array(CounterchangeName, {
      description: "Values for `counterchange` of a pattern: its two-colour groups.",
    }),
  },
  strict,
);

/** The 17 wallpaper groups, in the order of the International Tables. */
export function listGroups(): Static<typeof Group>[] {
  return groups.map(({ name, hermannMauguin, orbifold, lattice }) => ({
    name,
    hermann_mauguin: hermannMauguin,
    orbifold,
    lattice,
    counterchanges: [...COUNTERCHANGES[name]],
  }));
}

export const Preset = Type.Object(
  {
    name: Type.String({ description: "Value for `preset` of a source." }),
    title: Type.String(),
    description: Type.String(),
    parameters: Parameters,
  },
  strict,
);

const { preset: _, ...parameters } = PresetSource.properties;

/** The presets of sources. */
export function listPresets(): Static<typeof Preset>[] {
  return presets.map(({ id, title, description }) => ({
    name: id,
    title,
    description,
    parameters,
  }));
}

export const Palette = Type.Object(
  {
    name: Type.String({ description: "Value for `palette` of a pattern or preset." }),
    title: Type.String(),
    colours: Type.Array(Type.String(), { description: "The colours as `#rrggbb`." }),
  },
  strict,
);

/** The palettes of patterns and presets. */
export function listPalettes(): Static<typeof Palette>[] {
  return palettes.map(({ id, title, colours }) => ({ name: id, title, colours: [...colours] }));
}

export const Style = Type.Object(
  {
    name: Type.String({ description: "Value for `style` of a pattern." }),
    title: Type.String(),
    description: Type.String(),
    seam: Type.Record(Type.String(), Type.Unknown(), {
      description: "Defaults for the pattern's seam.",
    }),
    effects: Type.Array(EffectUse, { description: "Applied before the pattern's own effects." }),
    palette: Type.Union([Type.String(), Type.Null()], {
      description: "Default palette of the pattern.",
    }),
    surface_effects: Type.Array(EffectUse, {
      description: "Default surface effects of renders.",
    }),
  },
  strict,
);

/** The styles of patterns. */
export function listStyles(): Static<typeof Style>[] {
  return styles.map(({ id, title, description, seam, effects, palette, surfaceEffects }) => ({
    name: id,
    title,
    description,
    seam: { ...seam },
    effects: effects.map((use) => ({ ...use })),
    palette,
    surface_effects: surfaceEffects.map((use) => ({ ...use })),
  }));
}

export const PatternEffect = Type.Object(
  {
    id: Type.String({ description: "Value for `effects` of a pattern." }),
    title: Type.String(),
    description: Type.String(),
    parameters: Parameters,
    neutral: Type.Record(Type.String(), Type.Unknown(), {
      description: "Parameters for which the effect changes nothing.",
    }),
  },
  strict,
);

/** The effects of patterns. */
export function listEffects(): Static<typeof PatternEffect>[] {
  return patternEffects.map(({ id, title, description, params, neutral }) => ({
    id,
    title,
    description,
    parameters: params.properties,
    neutral,
  }));
}

export const SurfaceEffect = Type.Object(
  {
    id: Type.String({ description: "Value for `surface_effects` of a render." }),
    title: Type.String(),
    description: Type.String(),
    parameters: Parameters,
  },
  strict,
);

/** The effects of surfaces. */
export function listSurfaceEffects(): Static<typeof SurfaceEffect>[] {
  return surfaceEffects.map(({ id, title, description, params }) => ({
    id,
    title,
    description,
    parameters: params.properties,
  }));
}

const Millimetres = Type.Number({ description: "Millimetres." });

export const Product = Type.Object(
  {
    id: Type.String({ description: "Value for `products` of a request for mockups." }),
    title: Type.String(),
    description: Type.String(),
    print_mm: Type.Object(
      { width: Millimetres, height: Millimetres },
      { ...strict, description: "Printed area." },
    ),
    cell_mm: Type.Number({
      description: "Default edge of the pattern's cell.",
    }),
  },
  strict,
);

/** The products of mockups. */
export function listProducts(): Static<typeof Product>[] {
  return products.map(({ id, title, description, print, cell }) => ({
    id,
    title,
    description,
    print_mm: print,
    cell_mm: cell,
  }));
}
