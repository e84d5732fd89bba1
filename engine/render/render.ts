/** Renders a request into a sink: `startSheet` → `bandsOf` → the encoder, or strip by strip. */

import type { Encoder, Patch } from "../encoders/encoder.ts";
import { compositeBackground, type SampledImage } from "../image/samples.ts";
import { formatFacts, type RenderRequest } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";
import { createEncoder } from "./encode.ts";
import { bandsOf, type PictureHeader, type PicturePlan, picturePlan } from "./picture.ts";
import type { StepTimings } from "./stopwatch.ts";
import { type Clock, createStopwatch } from "./stopwatch.ts";
import { type DividedPicture, divideRender, joinStrips, renderStrip, stripsPlan } from "./strip.ts";

/** Receives a render's output. `send` resolves once the reader has caught up. */
export interface Sink {
  head(head: PictureHeader): void;
  send(bytes: Uint8Array): Promise<void>;
  /** Called after each band with the share of finished rows, 0…1. */
  progress?(share: number): void;
}

/** How to render a picture into a file. */
export interface PictureFilePlan extends PicturePlan {
  readonly encoder: Encoder;
  readonly mediaType: string;
}

export interface RenderResult {
  /** Milliseconds of each step. */
  readonly timings: StepTimings;
  /** Bytes to overwrite in the finished file. */
  readonly patch: Patch | null;
}

/** Renders a checked request into a sink. */
export function render(
  context: RenderContext,
  request: RenderRequest,
  sink: Sink,
  clock: Clock,
): Promise<RenderResult> {
  const divided = divideRender(context.encoders, request);
  if (divided !== null) return renderStrips(context, request, divided, sink, clock);
  const picture = picturePlan(context, request);
  const encoder = createEncoder(context, request);
  const { mediaType } = formatFacts[request.render.format];
  return renderBands(context, { ...picture, encoder, mediaType }, sink, clock);
}

/** Renders a picture into a sink band by band. */
export async function renderBands(
  context: RenderContext,
  picture: PictureFilePlan,
  sink: Sink,
  clock: Clock,
): Promise<RenderResult> {
  const { size, background, effects, encoder, mediaType } = picture;
  const watch = createStopwatch(clock);
  const { timed } = watch;
  const sheet = await timed("sample", () => picture.start());

  const sendBands = async () => {
    const rows = { first: 0, count: size.height };
    for await (const band of bandsOf(context, picture, sheet, rows, watch)) {
      const bytes = await timed("encode", () => encoder.band(band));
      if (bytes.length > 0) await sink.send(bytes);
      sink.progress?.((band.firstRow + band.rows) / size.height);
    }
  };

  const sendParts = async (parts: AsyncIterator<Uint8Array>) => {
    for (;;) {
      const { done, value } = await timed("encode", () => parts.next());
      if (done) return sink.progress?.(1);
      await sink.send(value);
      await context.checkpoint();
    }
  };

  try {
    const { backend } = context.runner;
    sink.head({ mediaType, ...size, strain: sheet.strain, backend });
    const period = effects.length === 0 ? sheet.period : undefined;
    const composited = (period: SampledImage) => ({
      ...period,
      ...compositeBackground(period, background),
    });
    if (period && encoder.encodePeriod) {
      await sendParts(encoder.encodePeriod(composited(period))[Symbol.asyncIterator]());
    } else {
      if (period && encoder.choosePixelFormat) {
        await timed("encode", () => encoder.choosePixelFormat?.(composited(period)));
      }
      await sendBands();
    }
    await sink.send(await timed("encode", () => encoder.end()));
  } finally {
    sheet.end?.();
  }
  return { timings: watch.spent, patch: encoder.patch?.() ?? null };
}

/** Renders the strips of a request one after the other. */
async function renderStrips(
  context: RenderContext,
  request: RenderRequest,
  { strips, format }: DividedPicture,
  sink: Sink,
  clock: Clock,
): Promise<RenderResult> {
  const plan = stripsPlan(context, request);
  const file = joinStrips(format);
  for (const strip of strips) {
    const rendered = await renderStrip(context, plan, strip, clock);
    if (strip.first === 0) sink.head(rendered.head);
    for (const piece of file.add(rendered)) await sink.send(piece);
  }
  await sink.send(file.end());
  return { timings: file.timings(), patch: file.patch() };
}
