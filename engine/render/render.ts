/** A render from beginning to end: the list of its steps. */
import { chosenPatternEffects, chosenSurfaceEffects, sizeOf } from "../check.ts";
import type { RenderRequest, Timings } from "../door.ts";
import { formatFacts } from "../recipe.ts";
import { startAperiodic } from "./aperiodic.ts";
import { bandRows, layBackground } from "./bands.ts";
import type { RenderContext } from "./context.ts";
import { createEncoder } from "./encode.ts";
import { chainOf } from "./pattern-chain.ts";
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
}

/** Milliseconds on some clock. */
export type Clock = () => number;

/**
 * Renders a checked request into a sink: sample and pattern effects → background → surface
 * effects → encode, band by band. Returns the milliseconds of each step.
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
  const size = sizeOf(fields);
  const { width, height } = size;
  const effects = chosenSurfaceEffects(design, fields).map((chosen) => prepareEffect(chosen, size));
  const reach = Math.max(0, ...effects.map((effect) => effect.reach));
  const rows = bandRows(width, height, reach);
  const sheet = await timed("sample", () => startSheet(context, request));
  try {
    const sampled: RowSource = async (first, count) =>
      layBackground(await timed("sample", () => sheet.rows(first, count)), design.background);
    const finished = effects.reduce<RowSource>(
      (below, effect) => layEffect(context, effect, size, rows, below),
      sampled,
    );
    const encoder = createEncoder(fields, width, height);
    const { mediaType } = formatFacts[fields.format];
    sink.head({ mediaType, width, height, strain: sheet.strain });
    for (let firstRow = 0; firstRow < height; firstRow += rows) {
      const count = Math.min(rows, height - firstRow);
      const before = spent.sample;
      const band = await timed("effects", () => finished(firstRow, count));
      // The effects ask for the samples, whose time is counted already.
      spent.effects -= spent.sample - before;
      const bytes = await timed("encode", () => encoder.band({ ...band, firstRow, rows: count }));
      if (bytes !== null) await sink.send(bytes);
      await context.checkpoint();
    }
    await sink.send(await timed("encode", () => encoder.end()));
  } finally {
    sheet.end?.();
  }
  return spent;
}

interface Sheet extends SheetRows {
  readonly strain: number;
}

async function startSheet(
  context: RenderContext,
  { design, source, render: fields }: RenderRequest,
): Promise<Sheet> {
  const chain = chainOf(chosenPatternEffects(design));
  switch (fields.mode) {
    case "tile": {
      const { size, hex_cells } = fields;
      const tile = await renderTile(context, design, source, chain, size, hex_cells);
      return { ...rowsOf(tile, size), strain: tile.strain };
    }
    case "surface": {
      const geometry = surfaceGeometry(design, fields, chain.onPeriod.length > 0);
      const sheet = await startSurface(context, design, source, chain, geometry);
      return { ...sheet, strain: geometry.strain };
    }
    case "aperiodic":
      return { ...(await startAperiodic(context, design, source, chain, fields)), strain: 0 };
  }
}

/** A picture that is there already, as rows. */
const rowsOf = ({ colour, alpha }: Samples, width: number): SheetRows => ({
  rows: async (first, count) => ({
    colour: colour.subarray(first * width, (first + count) * width),
    alpha: alpha?.subarray(first * width, (first + count) * width) ?? null,
  }),
});
