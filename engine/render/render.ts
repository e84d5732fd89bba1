/** A render from beginning to end: the list of its steps. */

import { chosenEffects } from "../check.ts";
import type { RenderRequest, Timings } from "../door.ts";
import { mediaTypeOf } from "../image/formats.ts";
import { applyEffects, type Band, bandRows, layBackground, prepareEffect } from "./bands.ts";
import type { RenderContext } from "./context.ts";
import { createEncoder } from "./encode.ts";
import { startSurface, surfaceGeometry } from "./surface.ts";
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
}

/** Milliseconds on some clock. */
export type Clock = () => number;

/**
 * Renders a checked request into a sink: sample → background → effects → encode, band by band.
 * Returns the milliseconds of each step.
 */
export async function render(
  context: RenderContext,
  request: RenderRequest,
  sink: Sink,
  clock: Clock,
): Promise<Omit<Timings, "queue">> {
  const spent = { sample: 0, effects: 0, encode: 0 };
  const timed = async <T>(step: keyof typeof spent, work: () => T | Promise<T>): Promise<T> => {
    const start = clock();
    try {
      return await work();
    } finally {
      spent[step] += clock() - start;
    }
  };

  const { design, render: fields } = request;
  const effects = chosenEffects(fields).map(prepareEffect);
  const sheet = await timed("sample", () => startSheet(context, request));
  const encoder = createEncoder(fields, sheet.width, sheet.height);
  sink.head({
    mediaType: mediaTypeOf(fields.format),
    width: sheet.width,
    height: sheet.height,
    strain: sheet.strain,
  });
  const rows = bandRows(sheet.width, sheet.height);
  for (let firstRow = 0; firstRow < sheet.height; firstRow += rows) {
    const count = Math.min(rows, sheet.height - firstRow);
    const sampled = await timed("sample", () => sheet.rows(firstRow, count));
    const band = { ...sampled, firstRow, rows: count };
    const finished = await timed("effects", () =>
      applyEffects(context, effects, layBackground(band, design.background), sheet),
    );
    const bytes = await timed("encode", () => encoder.band(finished));
    if (bytes !== null) await sink.send(bytes);
    await context.checkpoint();
  }
  await sink.send(await timed("encode", () => encoder.end()));
  return spent;
}

interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly strain: number;
  rows(first: number, count: number): Promise<Omit<Band, "firstRow" | "rows">>;
}

async function startSheet(
  context: RenderContext,
  { design, source, render: fields }: RenderRequest,
): Promise<Sheet> {
  if (fields.mode === "surface") {
    const geometry = surfaceGeometry(design, fields);
    return { ...geometry, rows: await startSurface(context, design, source, geometry) };
  }
  const { size, hex_cells } = fields;
  const { colour, alpha, strain } = await renderTile(context, design, source, size, hex_cells);
  return {
    width: size,
    height: size,
    strain,
    rows: async (first, count) => ({
      colour: colour.subarray(first * size, (first + count) * size),
      alpha: alpha?.subarray(first * size, (first + count) * size) ?? null,
    }),
  };
}
