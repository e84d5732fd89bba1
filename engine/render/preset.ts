/** Draws presets. */
import { presetNamed, presets } from "../../shaders/catalog.ts";
import { coloursOf } from "../../shaders/palettes.ts";
import {
  assignRoles,
  type Palette,
  paletteOf,
  rolesInOrder,
} from "../../shaders/presets/palette.ts";
import { concatBytes } from "../encoders/encoder.ts";
import { InvalidRecipe } from "../errors.ts";
import type { Colours } from "../recipe/index.ts";
import type { WorkerContext } from "./context.ts";

/** Pixels per inch; presets serve as sources only. */
const SCREEN = 96;

/**
 * Draws a preset as a PNG of size × size pixels, in a palette or, if that is null, in the seed's own.
 * Rejects with `InvalidRecipe`, which lists the presets, for an unknown name.
 */
export async function drawPreset(
  { runner, encoders }: WorkerContext,
  name: string,
  seed: number,
  size: number,
  palette: Colours | null,
): Promise<Uint8Array> {
  const preset = presetNamed(name);
  if (preset === undefined) {
    const ids = presets.map(({ id }) => id).join(", ");
    throw new InvalidRecipe([
      {
        path: "/preset",
        message: `there is no preset "${name}"; there are: ${ids}`,
        expected: ids,
        received: name,
      },
    ]);
  }
  const colour = await runner.run(preset.kernel, size * size, [
    size,
    size,
    ...preset.prepare(seed, paletteFor(seed, palette)),
  ]);
  const encoder = encoders.png({ width: size, height: size, pixelsPerInch: SCREEN });
  const picture = { width: size, height: size, colour, alpha: null };
  const parts = await Array.fromAsync(encoder.encodePeriod(picture));
  return concatBytes([...parts, await encoder.end()]);
}

/** Assigns the chosen colours, or the seed's own, to their roles. */
function paletteFor(seed: number, chosen: Colours | null): Palette {
  if (chosen === null) return paletteOf(seed);
  return typeof chosen === "string" ? rolesInOrder(coloursOf(chosen)) : assignRoles(chosen);
}
