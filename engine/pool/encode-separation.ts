import { concatBytes } from "../encoders/encoder.ts";
import { createPngWriter } from "../encoders/png/png.ts";
import { packedFromHex } from "../image/packed.ts";
import { compositeBackground } from "../image/samples.ts";
import type { SeparationRequest } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { renderTile } from "../render/tile.ts";

/**
 * Resolves with a greyscale PNG of a design's tile, black where it has a colour and white elsewhere; null if it
 * has it nowhere. Rejects as `Codec.levels` does.
 */
export async function encodeSeparation(
  context: RenderContext,
  { design, source, colour: ink, fields }: SeparationRequest,
): Promise<Uint8Array | null> {
  const tile = await renderTile(context, design, source, fields);
  const { colour, alpha } = compositeBackground(tile, design.background);
  const packed = packedFromHex(ink);
  const isInk = (at: number) => colour[at] === packed && (alpha === null || alpha[at] > 0);
  const pixels = Uint8Array.from(colour, (_, at) => (isInk(at) ? 0 : 255));
  if (!pixels.includes(0)) return null;
  const { width, height } = tile;
  const writer = createPngWriter({ width, height, channels: 1, pixelsPerInch: fields.dpi });
  return concatBytes([writer.head(), await writer.band(pixels), writer.end()]);
}
