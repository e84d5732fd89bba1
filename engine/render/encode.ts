/** Bands of a sheet as the bytes of a file. */
import { encodeWhole, type WholeFormat } from "../image/formats.ts";
import { createPngWriter } from "../image/png.ts";
import type { RenderFields } from "../recipe.ts";
import { type Band, bytesOf } from "./bands.ts";

/** Takes bands in order. */
export interface Encoder {
  /**
   * The bytes that a band has given, if it has given any yet. Throws where some bands have alpha
   * and others have none.
   */
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
  const channelsOf = steadyChannels();
  let writer: ReturnType<typeof createPngWriter> | null = null;
  return {
    band(band) {
      const bytes = bytesOf(band);
      const channels = channelsOf(band);
      if (writer !== null) return writer.band(bytes);
      writer = createPngWriter({ width, height, channels, pixelsPerInch });
      return Buffer.concat([writer.head(), writer.band(bytes)]);
    },
    end: () => (writer as NonNullable<typeof writer>).end(),
  };
}

/** Makes a function that gives a band's channels; throws where they are not those of the first. */
function steadyChannels() {
  let first: 3 | 4 | null = null;
  return ({ alpha, firstRow }: Band): 3 | 4 => {
    const channels = alpha === null ? 3 : 4;
    first ??= channels;
    if (channels !== first) {
      throw new Error(`row ${firstRow} has ${channels} channels where the first had ${first}`);
    }
    return channels;
  };
}

/** These formats look at a whole picture; the recipe's check has bounded its size. */
function createWholeEncoder(
  { quality, dpi }: RenderFields,
  format: WholeFormat,
  width: number,
  height: number,
): Encoder {
  let pixels: Uint8Array | null = null;
  const channelsOf = steadyChannels();
  let channels: 3 | 4 = 3;
  return {
    band(band) {
      channels = channelsOf(band);
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
