import { concatBytes } from "../encoders/encoder.ts";
import { createPngWriter } from "../encoders/png/png.ts";
import { bytesOf } from "../image/samples.ts";
import type { LevelRequest } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";

/** Pixels per inch; levels are for screens. */
const SCREEN = 96;

/** Returns a level of a source as a PNG, RGB or RGBA. Rejects as `Codec.levels` does. */
export async function encodeLevel(
  { codec }: Pick<RenderContext, "codec">,
  { source, level }: LevelRequest,
): Promise<Uint8Array> {
  const image = (await codec.levels(source)).level(level);
  const { width, height, alpha } = image;
  const channels = alpha === null ? 3 : 4;
  const writer = createPngWriter({ width, height, channels, pixelsPerInch: SCREEN });
  return concatBytes([writer.head(), await writer.band(bytesOf(image)), writer.end()]);
}
