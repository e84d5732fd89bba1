/** Collects a whole image in memory and encodes it at once. */
import { writeBytes } from "../image/samples.ts";
import type { PictureMemory } from "../reused-array.ts";
import type { Size } from "../size.ts";
import { type Encoder, uniformChannels } from "./encoder.ts";
import type { EncodingOptions, encodeWhole, WholeFormat } from "./whole-image.ts";

/**
 * @param encode encodes the image, as `encodeWhole` does
 * @param memory for the image
 */
export function createWholeEncoder(
  { width, height, quality, pixelsPerInch }: Size & EncodingOptions,
  format: WholeFormat,
  encode: typeof encodeWhole,
  memory: PictureMemory,
): Encoder {
  const channelsOf = uniformChannels();
  let channels: 3 | 4 = 3;
  let taken: Float32Array = new Float32Array();
  let pixels: Uint8Array = new Uint8Array();
  return {
    band(band) {
      channels = channelsOf(band);
      if (pixels.length === 0) {
        const bytes = width * height * channels;
        taken = memory.take(Math.ceil(bytes / Float32Array.BYTES_PER_ELEMENT));
        pixels = new Uint8Array(taken.buffer, taken.byteOffset, bytes);
      }
      writeBytes(band, channels, pixels.subarray(band.firstRow * width * channels));
      return new Uint8Array();
    },
    async end() {
      const size = { width, height, channels };
      const file = await encode(pixels, size, format, { quality, pixelsPerInch });
      // Not where that fails: it may still be read.
      memory.giveBack(taken);
      return file;
    },
  };
}
