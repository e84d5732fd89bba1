/** The main colours of a source. */
import { linearFromOklab } from "../../shaders/lib/colour.ts";
import { packLight } from "../image/packed.ts";
import { principalColours } from "../image/principal-colours.ts";
import type { SampledImage } from "../image/samples.ts";
import { octaveWithin } from "../image/source-levels.ts";
import type { ColourRequest, SourceBytes } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import type { RenderContext } from "./context.ts";

/** Most pixels of the level of a source that its colours are taken of. */
const PIXELS = 4096;

type Context = Pick<RenderContext, "sources" | "codec">;

/** Resolves with a source's size, and with it at a few thousand pixels. Rejects as `Codec.levels` does. */
export async function coarseSource(
  { sources, codec }: Context,
  source: SourceBytes,
): Promise<{ readonly size: Size; readonly picture: SampledImage }> {
  const levels = await sources.levels(source, codec);
  const { width, height, colour, alpha } = levels.level(octaveWithin(levels, PIXELS));
  // Copies, because effects may overwrite them and other threads read the level.
  const picture = {
    width,
    height,
    colour: colour.slice(),
    alpha: alpha && Float32Array.from(alpha),
  };
  return { size: levels, picture };
}

/**
 * Resolves with at most `count` main colours of a source as `#rrggbb`, the darkest first. Rejects as
 * `Codec.levels` does.
 */
export async function sourceColours(
  context: Context,
  { source, count }: ColourRequest,
): Promise<string[]> {
  const colours = principalColours((await coarseSource(context, source)).picture, count);
  return colours.map(({ colour }) => {
    const packed = packLight(...linearFromOklab(colour));
    return `#${packed.toString(16).padStart(6, "0")}`;
  });
}
