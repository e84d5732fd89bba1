/** Renders a strip of a large sheet to a part of its PNG, and assembles the file from the strips. */

import { uniformChannels } from "../encoders/encoder.ts";
import type { Encoders } from "../encoders/index.ts";
import type { StreamSum } from "../encoders/png/deflate/zlib-frame.ts";
import type { PngFrame, PngStrip } from "../encoders/png/png.ts";
import { bandBytes } from "../image/bands.ts";
import { bytesOf } from "../image/samples.ts";
import { formatFacts, type RenderRequest } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";
import { bandsOf, type PictureHeader, picturePlan } from "./picture.ts";
import { recipeTexts } from "./recipe-text.ts";
import type { StepTimings } from "./stopwatch.ts";
import { type Clock, createStopwatch } from "./stopwatch.ts";
import type { Strip } from "./strip-plan.ts";

/** A rendered strip of a PNG. */
export interface RenderedStrip {
  /** Of the whole picture. */
  readonly head: PictureHeader;
  readonly channels: 3 | 4;
  /** The strip's IDAT chunks. */
  readonly chunks: readonly Uint8Array[];
  readonly sum: StreamSum;
  /** Milliseconds of each step. */
  readonly timings: StepTimings;
}

/** Renders a strip of a checked request, one of those that `stripsOf` returns. */
export async function renderStrip(
  context: RenderContext,
  request: RenderRequest,
  strip: Strip,
  clock: Clock,
): Promise<RenderedStrip> {
  const picture = picturePlan(context, request);
  const { width, height } = picture.size;
  const watch = createStopwatch(clock);
  const { timed } = watch;
  const sheet = await timed("sample", () => picture.start());
  const channelsOf = uniformChannels();
  const chunks: Uint8Array[] = [];
  let png: PngStrip | undefined;
  let channels: 3 | 4 = 3;
  try {
    for await (const band of bandsOf(context, picture, sheet, strip, watch)) {
      channels = channelsOf(band);
      png ??= context.encoders.pngStrip({ width, channels }, strip.first);
      const { band: encode } = png;
      chunks.push(await timed("encode", () => encode(bytesOf(band, bandBytes))));
    }
  } finally {
    sheet.end?.();
  }
  const { mediaType } = formatFacts[request.render.format];
  return {
    head: { mediaType, width, height, strain: sheet.strain, backend: context.runner.backend },
    channels,
    chunks,
    sum: (png as PngStrip).sum(),
    timings: watch.spent,
  };
}

/** A file assembled from its strips. */
export interface StripFile {
  /** Adds the next strip from the top. Yields its bytes of the file. */
  add(strip: RenderedStrip): Iterable<Uint8Array>;
  /** Returns what follows the last strip. */
  end(): Uint8Array;
  /** Returns the milliseconds of each step, summed over all strips. */
  timings(): RenderedStrip["timings"];
}

/** Creates the file of a request that is rendered in strips. */
export function createStripFile(
  request: RenderRequest,
  createFrame: Encoders["pngFrame"],
): StripFile {
  const spent = { sample: 0, effects: 0, encode: 0 };
  let frame: PngFrame | undefined;
  let channelsBefore: 3 | 4 | undefined;
  return {
    *add({ head: { width, height }, channels, chunks, sum, timings }) {
      channelsBefore ??= channels;
      if (channels !== channelsBefore) {
        throw new Error(`a strip has ${channels} channels, the first one had ${channelsBefore}`);
      }
      if (frame === undefined) {
        const text = recipeTexts(request);
        const pixelsPerInch = request.render.dpi;
        frame = createFrame({ width, height, channels, pixelsPerInch, text });
        yield frame.head();
      }
      frame.add(sum);
      for (const step of ["sample", "effects", "encode"] as const) spent[step] += timings[step];
      yield* chunks;
    },
    end: () => (frame as PngFrame).end(),
    timings: () => spent,
  };
}
