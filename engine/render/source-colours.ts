/** The main colours of a source. */
import { linearFromOklab } from "../../shaders/lib/colour.ts";
import { hexOf, packLight } from "../image/packed.ts";
import { principalColours } from "../image/principal-colours.ts";
import type { SampledImage } from "../image/samples.ts";
import { octaveWithin, type SourceLevels } from "../image/source-levels.ts";
import type { ColourRequest, SourceBytes } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import type { RenderContext } from "./context.ts";

/** Most pixels of the level of a source that its colours are taken of. */
const PIXELS = 4096;

type Context = Pick<RenderContext, "codec">;

/** Resolves with a source's size, and with it at a few thousand pixels. Rejects as `Codec.levels` does. */
export async function coarseSource(
  { codec }: Context,
  source: SourceBytes,
): Promise<{ readonly size: Size; readonly picture: SampledImage }> {
  const levels = await codec.levels(source);
  return { size: levels, picture: copyCoarseLevel(levels) };
}

function copyCoarseLevel(levels: SourceLevels): SampledImage {
  const { width, height, colour, alpha } = levels.level(octaveWithin(levels, PIXELS));
  // Copies, because effects may overwrite them and other threads read the level.
  return { width, height, colour: colour.slice(), alpha: alpha && Float32Array.from(alpha) };
}

/** Resolves with the main colours of a source, as `coloursOfLevels` returns them. Rejects as `Codec.levels` does. */
export async function sourceColours(
  { codec }: Context,
  { source, count }: ColourRequest,
): Promise<string[]> {
  return coloursOfLevels(await codec.levels(source), count);
}

/** Returns at most `count` main colours of a source as `#rrggbb`, the darkest first. */
export function coloursOfLevels(levels: SourceLevels, count: number): string[] {
  return principalColours(copyCoarseLevel(levels), count).map(({ colour }) =>
    hexOf(packLight(...linearFromOklab(colour))),
  );
}
