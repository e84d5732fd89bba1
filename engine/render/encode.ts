/** Bands of a sheet as the bytes of a file. */

import type { Codec } from "../codec/protocol.ts";
import type { Patch, RenderRequest } from "../door.ts";
import type { WholeFormat } from "../image/formats.ts";
import { createPiecesInOrder } from "../image/pieces-in-order.ts";
import { createPngWriter, type PngOptions, type PngWriter } from "../image/png.ts";
import type { RenderFields } from "../recipe.ts";
import { type Band, bandRows, bytesOf } from "./bands.ts";
import type { PicturePlan } from "./picture.ts";
import { type PngPixelFormat, smallestFormat, truecolourFormat } from "./png-form.ts";
import { recipeTexts } from "./recipe-text.ts";
import { partOf, type Samples } from "./samples.ts";
import type { SheetPeriod } from "./surface.ts";

/** Takes bands in order. */
export interface Encoder {
  /**
   * The bytes that a band has given, if it has given any yet. Throws where some bands have alpha
   * and others have none.
   */
  band(band: Band): Uint8Array | null | Promise<Uint8Array | null>;
  /**
   * The whole picture where it repeats a period, or is one, in place of `band`, in pieces; the same
   * object may come again. Left out: there is no shorter way.
   */
  repeating?(period: SheetPeriod): AsyncIterable<Uint8Array>;
  end(): Uint8Array | Promise<Uint8Array>;
  /** What has to be laid over the file once its end is there. */
  patch?(): Patch | null;
}

/** The encoder of a request's format, for a sheet of this size in pixels. */
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

/** The encoder of a PNG: with or without alpha, and where it is known as a whole with as few bytes as it needs. */
export function createPngEncoder(facts: Omit<PngOptions, "channels" | "palette">) {
  const { width, height, profile } = facts;
  const channelsOf = uniformChannels();
  const pieces = createPiecesInOrder<Uint8Array>();
  let writer: PngWriter | null = null;
  const start = ({ channels, palette }: PngPixelFormat) => {
    writer = createPngWriter({ ...facts, channels, ...(palette && { palette }) });
    return writer;
  };
  return {
    async band(band: Band) {
      const form = truecolourFormat(channelsOf(band));
      const head = writer === null ? [start(form).head()] : [];
      const bytes = form.bytes(band, width);
      const done = await pieces.next((writer as PngWriter).band(bytes), bytes.length);
      return concatBytes([...head, ...done]);
    },
    async *repeating(period: SheetPeriod) {
      const repeats = period.width !== width || period.height !== height;
      const form = smallestFormat(period, { greys: profile === undefined, repeats });
      const writer = start(form);
      if (repeats) {
        const { channels } = form;
        yield writer.head();
        yield* writer.repeating({ ...period, channels, pixels: form.bytes(period, period.width) });
        return;
      }
      let head = [writer.head()];
      for (const rows of inBands(period)) {
        const bytes = form.bytes(rows, width);
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

/** A picture that is there in bands, like those of a sheet. */
function* inBands(picture: SheetPeriod): Generator<Samples> {
  const { width, height, colour } = picture;
  const pixels = bandRows(width, height, 0) * width;
  for (let from = 0; from < colour.length; from += pixels) {
    yield partOf(picture, from, from + pixels);
  }
}

/** Pieces in one; null where there are none. */
export const concatBytes = (pieces: readonly Uint8Array[]): Uint8Array | null =>
  pieces.length === 0 ? null : Buffer.concat(pieces);

/** Makes a function that gives a band's channels; throws where they are not those of the first. */
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

/** These formats look at a whole picture; the recipe's check has bounded its size. */
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
