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
  let pixels: Uint8Array = new Uint8Array();
  let missing = height;
  return {
    band(band) {
      channels = channelsOf(band);
      if (pixels.length === 0) {
        const bytes = width * height * channels;
        const { buffer } = memory.take(Math.ceil(bytes / Float32Array.BYTES_PER_ELEMENT));
        pixels = new Uint8Array(buffer, 0, bytes);
      }
      missing -= band.rows;
      writeBytes(band, channels, pixels.subarray(band.firstRow * width * channels));
      return new Uint8Array();
    },
    async end() {
      // The memory may have an earlier picture there.
      if (missing !== 0) throw new RangeError(`${missing} rows are missing`);
      const size = { width, height, channels };
      try {
        return await encode(pixels, size, format, { quality, pixelsPerInch });
      } finally {
        memory.giveBack(pixels);
      }
    },
  };
}
