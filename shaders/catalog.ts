/** Catalogues of presets, effects and styles. To add one, add its file and a line here. */

import { blur } from "./effects/blur.ts";
import { brightness } from "./effects/brightness.ts";
import { contrast } from "./effects/contrast.ts";
import { duotone } from "./effects/duotone.ts";
import { edges } from "./effects/edges.ts";
import type { PatternEffect } from "./effects/effect.ts";
import { flatInks } from "./effects/flat-inks.ts";
import { gamma } from "./effects/gamma.ts";
import { grayscale } from "./effects/grayscale.ts";
import { halftone } from "./effects/halftone.ts";
import { hue } from "./effects/hue.ts";
import { invert } from "./effects/invert.ts";
import { paletteMap } from "./effects/palette-map.ts";
import { pixelate } from "./effects/pixelate.ts";
import { posterize } from "./effects/posterize.ts";
import { saturation } from "./effects/saturation.ts";
import { sepia } from "./effects/sepia.ts";
import { sharpen } from "./effects/sharpen.ts";
import { swirl } from "./effects/swirl.ts";
import { temperature } from "./effects/temperature.ts";
import { threshold } from "./effects/threshold.ts";
import { permutationTable } from "./lib/random.ts";
import { brush } from "./presets/brush.ts";
import { floral } from "./presets/floral.ts";
import { geometric } from "./presets/geometric.ts";
import { ikat } from "./presets/ikat.ts";
import { leaves } from "./presets/leaves.ts";
import { mandala } from "./presets/mandala.ts";
import { marble } from "./presets/marble.ts";
import { plasma } from "./presets/plasma.ts";
import { polka } from "./presets/polka.ts";
import type { Preset } from "./presets/preset.ts";
import { stripes } from "./presets/stripes.ts";
import { terrazzo } from "./presets/terrazzo.ts";
import { truchet } from "./presets/truchet.ts";
import { voronoi } from "./presets/voronoi.ts";
import { waves } from "./presets/waves.ts";
import { type Style, styles } from "./styles.ts";
import { canvas } from "./surface/canvas.ts";
import type { EffectSheet, SurfaceEffect } from "./surface/effect.ts";
import { emboss } from "./surface/emboss.ts";
import { fade } from "./surface/fade.ts";
import { folds } from "./surface/folds.ts";
import { gradientWash } from "./surface/gradient-wash.ts";
import { grain } from "./surface/grain.ts";
import { halftonePrint } from "./surface/halftone-print.ts";
import { lighting } from "./surface/lighting.ts";
import { linen } from "./surface/linen.ts";
import { misregistration } from "./surface/misregistration.ts";
import { paper } from "./surface/paper.ts";
import { stain } from "./surface/stain.ts";
import { vignette } from "./surface/vignette.ts";

export type { EffectSheet, PatternEffect, Preset, Style, SurfaceEffect };
export { styles };

/** In the order in which they are listed. */
export const presets: readonly Preset[] = [
  floral,
  leaves,
  geometric,
  marble,
  waves,
  plasma,
  voronoi,
  truchet,
  terrazzo,
  polka,
  stripes,
  ikat,
  mandala,
  brush,
];

/** In the order in which they are listed. */
export const patternEffects: readonly PatternEffect[] = [
  brightness,
  contrast,
  saturation,
  hue,
  gamma,
  temperature,
  invert,
  grayscale,
  sepia,
  posterize,
  threshold,
  duotone,
  flatInks,
  paletteMap,
  blur,
  sharpen,
  edges,
  pixelate,
  halftone,
  swirl,
];

/** In the order in which they are listed. */
export const surfaceEffects: readonly SurfaceEffect[] = [
  vignette,
  grain,
  paper,
  canvas,
  linen,
  lighting,
  emboss,
  folds,
  fade,
  stain,
  halftonePrint,
  misregistration,
  gradientWash,
];

/** Returns a preset by id, or undefined. */
export function presetNamed(id: string): Preset | undefined {
  return presets.find((preset) => preset.id === id);
}

/** Returns a pattern effect by id, or undefined. */
export function patternEffectNamed(id: string): PatternEffect | undefined {
  return patternEffects.find((effect) => effect.id === id);
}

/** Returns a surface effect by id, or undefined. */
export function surfaceEffectNamed(id: string): SurfaceEffect | undefined {
  return surfaceEffects.find((effect) => effect.id === id);
}

/** Returns a style by id, or undefined. */
export function styleNamed(id: string): Style | undefined {
  return styles.find((style) => style.id === id);
}

/**
 * Returns the arguments of a surface effect's kernel for a sheet: its parameters as numbers, the table
 * of its seed (0 if it has none), and its reach in rows. Fills in defaults, but validates
 * nothing.
 */
export function effectArguments(
  effect: SurfaceEffect,
  given: Readonly<Record<string, unknown>>,
  sheet: EffectSheet,
): { readonly params: Float32Array; readonly table: Float32Array; readonly reach: number } {
  const params = { ...defaultsOf(effect), ...given };
  const names = Object.keys(effect.params.properties);
  return {
    params:
      effect.prepare?.(params, sheet) ?? Float32Array.from(names, (name) => Number(params[name])),
    table: permutationTable(Number(params.seed ?? 0)),
    reach: effect.reach?.(params, sheet) ?? 0,
  };
}

const defaultsOf = ({ params }: SurfaceEffect): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<{ readonly default?: unknown }>(params.properties).map(([name, schema]) => [
      name,
      schema.default,
    ]),
  );
