/** One strip of a large sheet as a part of its file, and the file around the strips. */
import type { RenderRequest, Timings } from "../door.ts";
import { createPngFrame, createPngStrip, type PngFrame, type PngStrip } from "../image/png.ts";
import type { StreamSum } from "../image/zlib-frame.ts";
import { formatFacts } from "../recipe.ts";
import { bytesOf } from "./bands.ts";
import type { RenderContext } from "./context.ts";
import { uniformChannels } from "./encode.ts";
import { bandsOf, type PictureHeader, picturePlan } from "./picture.ts";
import { recipeTexts } from "./recipe-text.ts";
import { type Clock, createStopwatch } from "./stopwatch.ts";
import type { Strip } from "./strips.ts";

/** A strip of a PNG. */
export interface RenderedStrip {
  /** That of the whole picture. */
  readonly head: PictureHeader;
  readonly channels: 3 | 4;
  /** The strip's part of the file, and what its frame has to know of it. */
  readonly pieces: readonly Uint8Array[];
  readonly sum: StreamSum;
  /** Milliseconds of each step. */
  readonly timings: Omit<Timings, "queue">;
}

/** Makes a strip of a checked render, one of those that `stripsOf` lists. */
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
  const pieces: Uint8Array[] = [];
  let png: PngStrip | undefined;
  let channels: 3 | 4 = 3;
  try {
    for await (const band of bandsOf(context, picture, sheet, strip, watch)) {
      channels = channelsOf(band);
      png ??= createPngStrip({ width, channels }, strip.first);
      const { band: encode } = png;
      pieces.push(await timed("encode", () => encode(bytesOf(band))));
    }
  } finally {
    sheet.end?.();
  }
  const { mediaType } = formatFacts[request.render.format];
  return {
    head: { mediaType, width, height, strain: sheet.strain, backend: context.runner.backend },
    channels,
    pieces,
    sum: (png as PngStrip).sum(),
    timings: watch.spent,
  };
}

/** A file that is put together from its strips. */
export interface StripFile {
  /** The next strip from the top, as pieces of the file. */
  add(strip: RenderedStrip): Iterable<Uint8Array>;
  /** What follows the last one. */
  end(): Uint8Array;
  /** Milliseconds of each step, of all strips together. */
  timings(): RenderedStrip["timings"];
}

/** Starts the file of a render that is made in strips. */
export function createStripFile(request: RenderRequest): StripFile {
  const spent = { sample: 0, effects: 0, encode: 0 };
  let frame: PngFrame | undefined;
  let channelsBefore: 3 | 4 | undefined;
  return {
    *add({ head: { width, height }, channels, pieces, sum, timings }) {
      channelsBefore ??= channels;
      if (channels !== channelsBefore) {
        throw new Error(`a strip has ${channels} channels, the first one had ${channelsBefore}`);
      }
      if (frame === undefined) {
        const text = recipeTexts(request);
        const pixelsPerInch = request.render.dpi;
        frame = createPngFrame({ width, height, channels, pixelsPerInch, text });
        yield frame.head();
      }
      frame.add(sum);
      for (const step of ["sample", "effects", "encode"] as const) spent[step] += timings[step];
      yield* pieces;
    },
    end: () => (frame as PngFrame).end(),
    timings: () => spent,
  };
}
