/** A render from beginning to end: the list of its steps. */
import type { Patch, RenderRequest, Timings } from "../door.ts";
import { formatFacts } from "../recipe.ts";
import { compositeBackground } from "./bands.ts";
import type { RenderContext } from "./context.ts";
import { createEncoder, type Encoder } from "./encode.ts";
import { bandsOf, type PictureHeader, type PicturePlan, picturePlan } from "./picture.ts";
import { type Clock, createStopwatch } from "./stopwatch.ts";
import { createStripFile, renderStrip } from "./strip.ts";
import { type Strip, stripsOf } from "./strips.ts";

/** Takes a render's output; `send` waits while the reader is behind. */
export interface Sink {
  head(head: PictureHeader): void;
  send(bytes: Uint8Array): Promise<void>;
  /** Told after each band which share of the rows is made, 0…1. */
  made?(share: number): void;
}

/** A picture that becomes a file. */
export interface PictureFilePlan extends PicturePlan {
  readonly encoder: Encoder;
  readonly mediaType: string;
}

/** How a picture was made. */
export interface RenderResult {
  /** Milliseconds of each step. */
  readonly timings: Omit<Timings, "queue">;
  /** What has to be laid over the file, if anything. */
  readonly patch: Patch | null;
}

/** Renders a checked request into a sink. */
export function render(
  context: RenderContext,
  request: RenderRequest,
  sink: Sink,
  clock: Clock,
): Promise<RenderResult> {
  const { design, render: fields } = request;
  const strips = stripsOf(design, fields);
  if (strips.length > 1) return renderStrips(context, request, strips, sink, clock);
  const picture = picturePlan(context, request);
  const { size } = picture;
  const encoder = createEncoder(request, size, context.codec);
  const { mediaType } = formatFacts[fields.format];
  return renderBands(context, { ...picture, encoder, mediaType }, sink, clock);
}

/** Makes a picture into a sink band by band. */
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
      if (bytes !== null) await sink.send(bytes);
      sink.made?.((band.firstRow + band.rows) / size.height);
    }
  };

  const sendPieces = async (pieces: AsyncIterator<Uint8Array>) => {
    for (;;) {
      const { done, value } = await timed("encode", () => pieces.next());
      if (done) return sink.made?.(1);
      await sink.send(value);
      await context.checkpoint();
    }
  };

  try {
    const { backend } = context.runner;
    sink.head({ mediaType, ...size, strain: sheet.strain, backend });
    const { period } = sheet;
    if (period && effects.length === 0 && encoder.repeating) {
      const laid = { ...period, ...compositeBackground(period, background) };
      await sendPieces(encoder.repeating(laid)[Symbol.asyncIterator]());
    } else await sendBands();
    await sink.send(await timed("encode", () => encoder.end()));
  } finally {
    sheet.end?.();
  }
  return { timings: watch.spent, patch: encoder.patch?.() ?? null };
}

/** Makes the strips of a render one after the other. */
async function renderStrips(
  context: RenderContext,
  request: RenderRequest,
  strips: readonly Strip[],
  sink: Sink,
  clock: Clock,
): Promise<RenderResult> {
  const file = createStripFile(request);
  for (const strip of strips) {
    const made = await renderStrip(context, request, strip, clock);
    if (strip.first === 0) sink.head(made.head);
    for (const piece of file.add(made)) await sink.send(piece);
  }
  await sink.send(file.end());
  return { timings: file.timings(), patch: null };
}
