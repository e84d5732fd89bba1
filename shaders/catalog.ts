/** The presets and effects that there are. A new one is its file and one line here. */
import { permutationTable } from "./lib/random.ts";
import { floral } from "./presets/floral.ts";
import { geometric } from "./presets/geometric.ts";
import { marble } from "./presets/marble.ts";
import type { Preset } from "./presets/preset.ts";
import { voronoi } from "./presets/voronoi.ts";
import type { SurfaceEffect } from "./surface/effect.ts";
import { grain } from "./surface/grain.ts";
import { vignette } from "./surface/vignette.ts";

export type { Preset, SurfaceEffect };

/** In the order in which they are listed. */
export const presets: readonly Preset[] = [floral, marble, geometric, voronoi];

/** In the order in which they are listed. */
export const surfaceEffects: readonly SurfaceEffect[] = [vignette, grain];

/** The preset of that id, or undefined. */
export function presetNamed(id: string): Preset | undefined {
  return presets.find((preset) => preset.id === id);
}

/** The surface effect of that id, or undefined. */
export function surfaceEffectNamed(id: string): SurfaceEffect | undefined {
  return surfaceEffects.find((effect) => effect.id === id);
}

/**
 * The last two arguments of an effect's kernel: its parameters as numbers in the order of the
 * schema, defaults filled in, and the table of its seed (0 where it has none). Nothing is
 * checked here.
 */
export function effectArguments(
  effect: SurfaceEffect,
  params: Readonly<Record<string, unknown>>,
): { readonly params: Float32Array; readonly table: Float32Array } {
  const numberOf = (name: string) => Number(params[name] ?? defaultOf(effect, name));
  const names = Object.keys(effect.params.properties);
  return {
    params: Float32Array.from(names, numberOf),
    table: permutationTable(names.includes("seed") ? numberOf("seed") : 0),
  };
}

function defaultOf(effect: SurfaceEffect, name: string): unknown {
  return (effect.params.properties[name] as { readonly default?: unknown }).default;
}
