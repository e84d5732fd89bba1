import { concatBytes } from "../encoders/encoder.ts";
import { createPngWriter } from "../encoders/png/png.ts";
import { inBands } from "../image/bands.ts";
import { packedFromHex } from "../image/packed.ts";
import type { SeparationRequest } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { printedColourReader } from "../render/inks.ts";
import { renderTile } from "../render/tile.ts";

const BLACK = 0;
const WHITE = 255;

/**
 * Resolves with a greyscale PNG of a design's tile, black where it has a colour and white elsewhere; null if it
 * has it nowhere. Rejects as `Codec.levels` does.
 */
export async function encodeSeparation(
  context: RenderContext,
  { design, source, colour, fields }: SeparationRequest,
): Promise<Uint8Array | null> {
  const tile = await renderTile(context, design, source, fields, { isFlat: true });
  const { width, height } = tile;
  const writer = createPngWriter({ width, height, channels: 1, pixelsPerInch: fields.dpi });
  const parts = [writer.head()];
  let isUsed = false;
  const inkAt = printedColourReader(design.background);
  const ink = packedFromHex(colour);
  for (const rows of inBands(tile)) {
    const pixels = new Uint8Array(rows.colour.length);
    for (let at = 0; at < pixels.length; at++) pixels[at] = inkAt(rows, at) === ink ? BLACK : WHITE;
    isUsed ||= pixels.includes(BLACK);
    parts.push(await writer.band(pixels));
    await context.checkpoint();
  }
  return isUsed ? concatBytes([...parts, writer.end()]) : null;
}
