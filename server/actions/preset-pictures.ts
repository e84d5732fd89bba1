/** Pictures of the presets, to choose from. */
import { type Engine, presets } from "../../engine/index.ts";

/** Edge in pixels. */
const SIZE = 192;

/** Drawn once by each process: there are as many as presets. */
const drawn = new WeakMap<Engine, Map<string, Promise<Uint8Array>>>();

export const PRESET_NAMES = presets.map(({ id }) => id);

/** Returns a preset with the seed 1 as a PNG, at the cost of one rendering. Throws Overloaded. */
export function presetPicture(engine: Engine, preset: string): Promise<Uint8Array> {
  const known = drawn.get(engine) ?? new Map<string, Promise<Uint8Array>>();
  drawn.set(engine, known);
  const picture =
    known.get(preset) ??
    engine.drawPreset(preset, 1, SIZE).catch((error) => {
      known.delete(preset);
      throw error;
    });
  known.set(preset, picture);
  return picture;
}
