/** A render from beginning to end: the list of its steps. */
import type { SurfaceEffect } from "../../shaders/catalog.ts";
import { type ChosenEffect, chosenSurfaceEffects, sizeOf } from "../check.ts";
import type { Patch, RenderRequest, Timings } from "../door.ts";
import { formatFacts } from "../recipe.ts";
import { startAperiodic } from "./aperiodic.ts";
import { bandRows, layBackground } from "./bands.ts";
import type { RenderContext } from "./context.ts";
import { createEncoder, type Encoder } from "./encode.ts";
import type { Samples } from "./sample.ts";
import { type SheetRows, startSurface, surfaceGeometry } from "./surface.ts";
import { layEffect, prepareEffect, type RowSource } from "./surface-chain.ts";
import { renderTile } from "./tile.ts";

/** What is known of a picture before its bytes. */
export interface Head {
  readonly mediaType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly strain: number;
}

/** Takes a render's output; `send` waits while the reader is behind. */
export interface Sink {
  head(head: Head): void;
  send(bytes: Uint8Array): Promise<void>;
  /** Told after each band which share of the rows is made, 0…1. */
  made?(share: number): void;
}

/** Milliseconds on some clock. */
export type Clock = () => number;

/** A picture that is made in bands of rows. */
export interface Picture {
  /** Pixels. */
  readonly size: { readonly width: number; readonly height: number };
  start(): Promise<Sheet>;
  /** `#rrggbb` laid under it, or null. */
  readonly background: string | null;
  readonly effects: readonly ChosenEffect<SurfaceEffect>[];
  readonly encoder: Encoder;
  readonly mediaType: string;
}

/** How a picture was made. */
export interface Made {
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
): Promise<Made> {
  const { design, render: fields } = request;
  const size = sizeOf(fields);
  const picture = {
    size,
    start: () => startSheet(context, request),
    background: design.background,
    effects: chosenSurfaceEffects(design, fields),
    encoder: createEncoder(request, size.width, size.height),
    mediaType: formatFacts[fields.format].mediaType,
  };
  return renderBands(context, picture, sink, clock);
}

/**
 * Makes a picture into a sink: sample and pattern effects → background → surface effects → encode,
 * band by band.
 */
export async function renderBands(
  context: RenderContext,
  { size, start, background, effects: chosen, encoder, mediaType }: Picture,
  sink: Sink,
  clock: Clock,
): Promise<Made> {
  const spent = { sample: 0, effects: 0, encode: 0 };
  const timed = async <T>(step: keyof typeof spent, work: () => T | Promise<T>): Promise<T> => {
    const start = clock();
    try {
      return await work();
    } finally {
      spent[step] += clock() - start;
    }
  };

  const { width, height } = size;
  const effects = chosen.map((effect) => prepareEffect(effect, size));
  const reach = Math.max(0, ...effects.map((effect) => effect.reach));
  const rows = bandRows(width, height, reach);
  const sheet = await timed("sample", start);

  const sendBands = async () => {
    const sampled: RowSource = async (first, count) =>
      layBackground(await timed("sample", () => sheet.rows(first, count)), background);
    const finished = effects.reduce<RowSource>(
      (below, effect) => layEffect(context, effect, size, rows, below),
      sampled,
    );
    for (let firstRow = 0; firstRow < height; firstRow += rows) {
      const count = Math.min(rows, height - firstRow);
      const before = spent.sample;
      const band = await timed("effects", () => finished(firstRow, count));
      // The effects ask for the samples, whose time is counted already.
      spent.effects -= spent.sample - before;
      const bytes = await timed("encode", () => encoder.band({ ...band, firstRow, rows: count }));
      if (bytes !== null) await sink.send(bytes);
      sink.made?.((firstRow + count) / height);
      await context.checkpoint();
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
    sink.head({ mediaType, width, height, strain: sheet.strain });
    const { period } = sheet;
    if (period && effects.length === 0 && encoder.repeating) {
      const laid = { ...period, ...layBackground(period, background) };
      await sendPieces(encoder.repeating(laid)[Symbol.asyncIterator]());
    } else await sendBands();
    await sink.send(await timed("encode", () => encoder.end()));
  } finally {
    sheet.end?.();
  }
  return { timings: spent, patch: encoder.patch?.() ?? null };
}

/** A sheet that is being made, and how far its cell was squeezed. */
export interface Sheet extends SheetRows {
  readonly strain: number;
}

/** Starts the sheet that a checked request asks for. */
export async function startSheet(
  context: RenderContext,
  { design, source, render: fields }: RenderRequest,
): Promise<Sheet> {
  switch (fields.mode) {
    case "tile": {
      const { size, hex_cells } = fields;
      const tile = await renderTile(context, design, source, size, hex_cells);
      const period = { ...tile, width: size, height: size };
      return { ...rowsOf(tile, size), period, strain: tile.strain };
    }
    case "surface": {
      const geometry = surfaceGeometry(design, fields);
      const sheet = await startSurface(context, design, source, geometry);
      return { ...sheet, strain: geometry.strain };
    }
    case "aperiodic":
      return { ...(await startAperiodic(context, design, source, fields)), strain: 0 };
  }
}

/** A picture that is there already, as rows. */
const rowsOf = ({ colour, alpha }: Samples, width: number): SheetRows => ({
  rows: async (first, count) => ({
    colour: colour.subarray(first * width, (first + count) * width),
    alpha: alpha?.subarray(first * width, (first + count) * width) ?? null,
  }),
});
