/** What a preset is: a picture drawn from a seed, made to become a pattern's source. */
import type { Kernel } from "../kernel.ts";

/** One preset with its listing and its kernel. Pictures are square and fill the unit square. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Whether the picture repeats seamlessly by itself. */
  readonly tiles: boolean;
  /** Called as `(width, height, ...prepare(seed))`, one thread a pixel; gives packed colours. */
  readonly kernel: Kernel;
  /** Everything that the seed decides; any safe integer is a seed. */
  prepare(seed: number): readonly (number | Float32Array)[];
}

/** Declares a preset. */
export function definePreset(preset: Preset): Preset {
  return preset;
}
