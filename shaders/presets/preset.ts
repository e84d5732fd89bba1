/** Interface of presets: pictures drawn from a seed, for use as a pattern's source. */
import type { Kernel } from "../kernel.ts";
import type { Palette } from "./palette.ts";

/** One preset with its listing and its kernel. Pictures are square and fill the unit square. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Whether the picture repeats seamlessly by itself. */
  readonly tiles: boolean;
  /** Called as `(width, height, ...prepare(seed, palette))`, one thread a pixel; returns packed colours. */
  readonly kernel: Kernel;
  /** Computes everything that depends on the seed (any safe integer), in the palette's colours. */
  prepare(seed: number, palette: Palette): readonly (number | Float32Array)[];
}

/** Declares a preset. */
export function definePreset(preset: Preset): Preset {
  return preset;
}
