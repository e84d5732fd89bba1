/** Renders strips of a large sheet, and joins them to its file. */
import type { Encoders } from "../encoders/index.ts";
import type { EncodedStrip, Strip, StripFormat } from "../encoders/strips.ts";
import { formatFacts, type RenderRequest } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";
import { bandsOf, type PictureHeader, type PicturePlan, picturePlan } from "./picture.ts";
import { sizeOf } from "./picture-size.ts";
import { recipeTexts } from "./recipe-text.ts";
import type { StepTimings } from "./stopwatch.ts";
import { type Clock, createStopwatch } from "./stopwatch.ts";
import { stripsOf } from "./strip-plan.ts";

/** How to render a picture in strips. */
export interface StripsPlan {
  readonly picture: PicturePlan;
  readonly mediaType: string;
  readonly format: StripFormat;
}

export interface RenderedStrip extends EncodedStrip {
  /** Of the whole picture. */
  readonly head: PictureHeader;
  /** Milliseconds of each step. */
  readonly timings: StepTimings;
}

/** The strips of a picture, which threads render. */
export interface DividedPicture {
  readonly strips: readonly Strip[];
  readonly format: StripFormat;
}

/** Divides a checked request into strips; returns null if it is rendered as a whole. */
export function divideRender(encoders: Encoders, request: RenderRequest): DividedPicture | null {
  const strips = stripsOf(request.design, request.render);
  return strips.length > 1 ? { strips, format: formatOf(encoders, request) } : null;
}

/** Returns the plan of a request that `divideRender` divides. */
export const stripsPlan = (context: RenderContext, request: RenderRequest): StripsPlan => ({
  picture: picturePlan(context, request),
  mediaType: formatFacts[request.render.format].mediaType,
  format: formatOf(context.encoders, request),
});

/** Only PNGs are divided. */
const formatOf = ({ strips }: Encoders, request: RenderRequest): StripFormat =>
  strips.png({
    ...sizeOf(request.design, request.render),
    pixelsPerInch: request.render.dpi,
    text: recipeTexts(request),
  });

/** Renders a strip. */
export async function renderStrip(
  context: RenderContext,
  { picture, mediaType, format }: StripsPlan,
  strip: Strip,
  clock: Clock,
): Promise<RenderedStrip> {
  const watch = createStopwatch(clock);
  const { timed } = watch;
  const sheet = await timed("sample", () => picture.start());
  const encoder = format.encode(strip);
  try {
    for await (const band of bandsOf(context, picture, sheet, strip, watch)) {
      await timed("encode", () => encoder.band(band));
    }
  } finally {
    sheet.end?.();
  }
  const { width, height } = picture.size;
  return {
    ...encoder.end(),
    head: { mediaType, width, height, strain: sheet.strain, backend: context.runner.backend },
    timings: watch.spent,
  };
}

/** Joins strips to their file, and sums up the milliseconds of their steps. */
export function joinStrips(format: StripFormat) {
  const file = format.file();
  const spent = { sample: 0, effects: 0, encode: 0 };
  let channelsBefore: 3 | 4 | undefined;
  return {
    ...file,
    /** Adds the next strip from the top. Yields its bytes of the file. */
    *add(strip: RenderedStrip): Generator<Uint8Array> {
      const { channels, timings } = strip;
      channelsBefore ??= channels;
      if (channels !== channelsBefore) {
        throw new Error(`a strip has ${channels} channels, the first one had ${channelsBefore}`);
      }
      for (const step of ["sample", "effects", "encode"] as const) spent[step] += timings[step];
      yield* file.add(strip);
    },
    timings: (): StepTimings => spent,
  };
}
