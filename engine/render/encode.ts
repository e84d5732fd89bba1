/** Bands of a sheet as the bytes of a file. */
import { encodeWhole } from "../image/formats.ts";
import { createPngWriter } from "../image/png.ts";
import type { RenderFields } from "../recipe.ts";
import { type Band, bytesOf } from "./bands.ts";

/** Takes bands in order. */
export interface Encoder {
  /** The bytes that a band has given, if it has given any yet. */
  band(band: Band): Uint8Array | null;
  end(): Uint8Array | Promise<Uint8Array>;
}

/** The encoder of a request's format, for a sheet of this size in pixels. */
export function createEncoder(fields: RenderFields, width: number, height: number): Encoder {
  return fields.format === "png"
    ? createPngEncoder(fields.dpi, width, height)
    : createWholeEncoder(fields, fields.format, width, height);
}

function createPngEncoder(pixelsPerInch: number, width: number, height: number): Encoder {
  let writer: ReturnType<typeof createPngWriter> | null = null;
  return {
    band(band) {
      const bytes = bytesOf(band);
      if (writer !== null) return writer.band(bytes);
      writer = createPngWriter({
        width,
        height,
        channels: band.alpha === null ? 3 : 4,
        pixelsPerInch,
      });
      return Buffer.concat([writer.head(), writer.band(bytes)]);
    },
    end: () => (writer as NonNullable<typeof writer>).end(),
  };
}

/** JPEG and WebP look at a whole picture; the recipe's check has bounded its size. */
function createWholeEncoder(
  { quality, dpi }: RenderFields,
  format: "jpeg" | "webp",
  width: number,
  height: number,
): Encoder {
  let pixels: Uint8Array | null = null;
  let channels: 3 | 4 = 3;
  return {
    band(band) {
      channels = band.alpha === null ? 3 : 4;
      pixels ??= new Uint8Array(width * height * channels);
      pixels.set(bytesOf(band), band.firstRow * width * channels);
      return null;
    },
    end: () =>
      encodeWhole(pixels as Uint8Array, { width, height, channels }, format, {
        quality,
        pixelsPerInch: dpi,
      }),
  };
}
