/** Collects a whole image in memory and encodes it at once. */
import { bandBytes } from "../image/bands.ts";
import { bytesOf } from "../image/samples.ts";
import type { Size } from "../size.ts";
import { type Encoder, uniformChannels } from "./encoder.ts";
import type { EncodingOptions, encodeWhole, WholeFormat } from "./whole-image.ts";

/** @param encode encodes the image, as `encodeWhole` does */
export function createWholeEncoder(
  { width, height, quality, pixelsPerInch }: Size & EncodingOptions,
  format: WholeFormat,
  encode: typeof encodeWhole,
): Encoder {
  const channelsOf = uniformChannels();
  let channels: 3 | 4 = 3;
  let pixels = new Uint8Array();
  return {
    band(band) {
      channels = channelsOf(band);
      if (pixels.length === 0) pixels = new Uint8Array(width * height * channels);
      pixels.set(bytesOf(band, bandBytes), band.firstRow * width * channels);
      return new Uint8Array();
    },
    end: () => encode(pixels, { width, height, channels }, format, { quality, pixelsPerInch }),
  };
}
