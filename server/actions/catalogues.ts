/** The catalogues as callers read them. */
import Type, { type Static } from "typebox";
import {
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
    name: Type.String({ description: "Short name, as `group` of a pattern takes it." }),
    hermann_mauguin: Type.String({ description: "Full Hermann–Mauguin symbol." }),
    orbifold: Type.String({ description: "Conway's orbifold symbol." }),
    lattice: Type.String({ description: "Shape of the cell." }),
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
  }));
}

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
    effects: effects.map((use) => ({ ...use })),
    palette,
    surface_effects: surfaceEffects.map((use) => ({ ...use })),
  }));
}

export const PatternEffect = Type.Object(
  {
    id: Type.String({ description: "As `effects` of a pattern takes it." }),
    title: Type.String(),
    description: Type.String(),
    parameters: Parameters,
    neutral: Type.Record(Type.String(), Type.Unknown(), {
      description: "Parameters with which the effect changes nothing.",
    }),
  },
  strict,
);

/** The effects that patterns can have. */
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
    id: Type.String({ description: "As `surface_effects` of a render takes it." }),
    title: Type.String(),
    description: Type.String(),
    parameters: Parameters,
  },
  strict,
);

/** The effects that can be laid over a surface. */
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
    id: Type.String({ description: "As `products` of an order takes it." }),
    title: Type.String(),
    description: Type.String(),
    print_mm: Type.Object(
      { width: Millimetres, height: Millimetres },
      { ...strict, description: "What print covers." },
    ),
    cell_mm: Type.Number({
      description: "Edge of the pattern's cell where an order does not say otherwise.",
    }),
  },
  strict,
);

/** The products that patterns can be shown on. */
export function listProducts(): Static<typeof Product>[] {
  return products.map(({ id, title, description, print, cell }) => ({
    id,
    title,
    description,
    print_mm: print,
    cell_mm: cell,
  }));
}
