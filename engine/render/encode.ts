/** Encodes the bands of a sheet into a file. */

import type { Patch } from "../encoders/encoder.ts";
import { createOrderedConcurrency } from "../encoders/ordered-concurrency.ts";
import {
  type PngPixelFormat,
  smallestFormat,
  truecolourFormat,
} from "../encoders/png/color-type.ts";
import { createPngWriter, type PngOptions, type PngWriter } from "../encoders/png/png.ts";
import type { WholeFormat } from "../encoders/whole-image.ts";
import type { Codec } from "../pool/codec/protocol.ts";
import type { RenderFields, RenderRequest } from "../recipe/index.ts";
import { type Band, bandRows, bytesOf } from "./bands.ts";
import type { PicturePlan } from "./picture.ts";
import { recipeTexts } from "./recipe-text.ts";
import { partOf, type Samples } from "./samples.ts";
import type { SheetPeriod } from "./surface.ts";

/** Encodes bands in order. */
export interface Encoder {
  /**
   * Adds a band and returns the bytes that are ready, or null. Throws if some bands have alpha and
   * others do not.
   */
  band(band: Band): Uint8Array | null | Promise<Uint8Array | null>;
  /**
   * Replaces `band` for a picture that is or repeats a period. Yields the file in parts, some the same
   * object. Absent if the format cannot exploit repetition.
   */
  repeating?(period: SheetPeriod): AsyncIterable<Uint8Array>;
  end(): Uint8Array | Promise<Uint8Array>;
  /** Returns bytes to overwrite in the finished file, or null. */
  patch?(): Patch | null;
}

/** Creates the encoder of a request's format for a sheet of this size in pixels. */
export function createEncoder(
  request: RenderRequest,
  { width, height }: PicturePlan["size"],
  codec: Codec,
): Encoder {
  const { render } = request;
  return render.format === "png"
    ? createPngEncoder({ width, height, pixelsPerInch: render.dpi, text: recipeTexts(request) })
    : createWholeEncoder(render, render.format, { width, height }, codec);
}

/** Creates a PNG encoder. A picture known as a whole gets its smallest pixel format. */
export function createPngEncoder(facts: Omit<PngOptions, "channels" | "palette">) {
  const { width, height, profile } = facts;
  const channelsOf = uniformChannels();
  const pieces = createOrderedConcurrency<Uint8Array>();
  let writer: PngWriter | null = null;
  const start = ({ channels, palette }: PngPixelFormat) => {
    writer = createPngWriter({ ...facts, channels, ...(palette && { palette }) });
    return writer;
  };
  return {
    async band(band: Band) {
      const format = truecolourFormat(channelsOf(band));
      const head = writer === null ? [start(format).head()] : [];
      const bytes = format.bytes(band, width);
      const done = await pieces.next((writer as PngWriter).band(bytes), bytes.length);
      return concatBytes([...head, ...done]);
    },
    async *repeating(period: SheetPeriod) {
      const repeats = period.width !== width || period.height !== height;
      const format = smallestFormat(period, { greys: profile === undefined, repeats });
      const writer = start(format);
      if (repeats) {
        const { channels } = format;
        yield writer.head();
        yield* writer.repeating({
          ...period,
          channels,
          pixels: format.bytes(period, period.width),
        });
        return;
      }
      let head = [writer.head()];
      for (const rows of inBands(period)) {
        const bytes = format.bytes(rows, width);
        const done = concatBytes([
          ...head,
          ...(await pieces.next(writer.band(bytes), bytes.length)),
        ]);
        if (done !== null) yield done;
        head = [];
      }
    },
    end: async () => Buffer.concat([...(await pieces.rest()), (writer as PngWriter).end()]),
  } satisfies Encoder;
}

/** Yields a period in bands like those of a sheet. */
function* inBands(picture: SheetPeriod): Generator<Samples> {
  const { width, height, colour } = picture;
  const pixels = bandRows(width, height, 0) * width;
  for (let from = 0; from < colour.length; from += pixels) {
    yield partOf(picture, from, from + pixels);
  }
}

/** Concatenates parts; returns null if there are none. */
export const concatBytes = (parts: readonly Uint8Array[]): Uint8Array | null =>
  parts.length === 0 ? null : Buffer.concat(parts);

/** Returns a function that returns a band's channels and throws if they differ from the first band's. */
export function uniformChannels() {
  let first: 3 | 4 | null = null;
  return ({ alpha, firstRow }: Pick<Band, "alpha" | "firstRow">): 3 | 4 => {
    const channels = alpha === null ? 3 : 4;
    first ??= channels;
    if (channels !== first) {
      throw new Error(`row ${firstRow} has ${channels} channels where the first had ${first}`);
    }
    return channels;
  };
}

/** Creates an encoder that collects the whole picture; `checkRender` has bounded its size. */
function createWholeEncoder(
  { quality, dpi }: RenderFields,
  format: WholeFormat,
  { width, height }: PicturePlan["size"],
  codec: Codec,
): Encoder {
  let pixels: Uint8Array | null = null;
  const channelsOf = uniformChannels();
  let channels: 3 | 4 = 3;
  return {
    band(band) {
      channels = channelsOf(band);
      pixels ??= new Uint8Array(width * height * channels);
      pixels.set(bytesOf(band), band.firstRow * width * channels);
      return null;
    },
    end: () =>
      codec.encode(pixels as Uint8Array, { width, height, channels }, format, {
        quality,
        pixelsPerInch: dpi,
      }),
  };
}
