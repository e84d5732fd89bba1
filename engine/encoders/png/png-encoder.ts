/** Encodes bands of samples as a PNG. */
import { type Band, bandBytes, inBands } from "../../image/bands.ts";
import { partOf, type SampledImage } from "../../image/samples.ts";
import { concatBytes, type Encoder, uniformChannels } from "../encoder.ts";
import { createOrderedConcurrency } from "../ordered-concurrency.ts";
import type { DeflatedBand } from "./band.ts";
import { type PixelFormat, smallestFormat, truecolourFormat } from "./pixel-format.ts";
import { createPngWriter, type PngOptions, type PngWriter } from "./png.ts";

interface PngFacts extends Omit<PngOptions, "channels" | "palette"> {
  /** Compresses all bands of a picture of true colours, as `compressBand` does, or returns null. */
  compressBands?: (picture: SampledImage) => Promise<readonly DeflatedBand[]> | null;
}

/** Creates a PNG encoder. An image known as a whole gets its smallest pixel format. */
export function createPngEncoder(facts: PngFacts) {
  const { width, height, profile, compressBands = () => null } = facts;
  const channelsOf = uniformChannels();
  const pieces = createOrderedConcurrency<Uint8Array>();
  let writer: PngWriter | null = null;
  const start = ({ channels, palette }: PixelFormat) => {
    writer = createPngWriter({ ...facts, channels, ...(palette && { palette }) });
    return writer;
  };
  return {
    async band(band: Band) {
      const format = truecolourFormat(channelsOf(band));
      const head = writer === null ? [start(format).head()] : [];
      const bytes = format.bytes(band, width, bandBytes);
      const done = await pieces.push((writer as PngWriter).band(bytes), bytes.length);
      return concatBytes([...head, ...done]);
    },
    async *encodePeriod(period: SampledImage) {
      const repeats = period.width !== width || period.height !== height;
      const format = smallestFormat(period, { greys: profile === undefined, repeats });
      const writer = start(format);
      yield writer.head();
      if (repeats) {
        const { channels } = format;
        yield* writer.encodePeriod({
          ...period,
          channels,
          rows: (first, count) =>
            format.bytes(
              partOf(period, first * period.width, (first + count) * period.width),
              period.width,
              bandBytes,
            ),
        });
        return;
      }
      const bands = format.channels >= 3 ? compressBands(period) : null;
      if (bands !== null) {
        for (const band of await bands) yield writer.add(band);
        return;
      }
      for (const rows of inBands(period)) {
        const bytes = format.bytes(rows, width, bandBytes);
        yield* await pieces.push(writer.band(bytes), bytes.length);
      }
      // `end` would copy them.
      yield* await pieces.flush();
    },
    end: async () => concatBytes([...(await pieces.flush()), (writer as PngWriter).end()]),
  } satisfies Encoder;
}
