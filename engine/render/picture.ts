/**
 * The steps of a picture, up to its encoder: `startSheet` samples the pattern and applies the pattern's
 * effects, `bandsOf` lays it on the background and applies the surface effects, a band at a time.
 */

import type { SurfaceEffect } from "../../shaders/catalog.ts";
import { type Band, bandRows } from "../image/bands.ts";
import { compositeBackground, partOf, type SampledImage } from "../image/samples.ts";
import type { Backend } from "../kernel-runner.ts";
import { type EffectStep, effectSheet, surfaceStepsOf } from "../recipe/check.ts";
import type { SheetRequest } from "../recipe/index.ts";
import { borrowFrom } from "../reused-array.ts";
import type { Size } from "../size.ts";
import { startAperiodic } from "./aperiodic.ts";
import type { RenderContext } from "./context.ts";
import { patternSheet } from "./pattern-sheet.ts";
import { sizeOf } from "./picture-size.ts";
import { withinDisc } from "./rosette.ts";
import type { Stopwatch } from "./stopwatch.ts";
import { downsampled, supersampled, supersamplingOf } from "./supersampling.ts";
import { type SheetRows, startSurface } from "./surface.ts";
import { applySurfaceEffect, type RowSource } from "./surface-chain.ts";
import { type PreparedEffect, prepareEffect } from "./surface-effect.ts";
import { renderTile } from "./tile.ts";

/** Properties of a picture that are known before its bytes. */
export interface PictureHeader extends Size {
  readonly mediaType: string;
  /** Relative distortion of the cell (0.0104 = 1.04 %). */
  readonly strain: number;
  readonly backend: Backend;
}

/** How to render a picture. */
export interface PicturePlan {
  readonly size: Size;
  /** Pixels per inch. */
  readonly dpi: number;
  /** Finer pixels along the side of a pixel, in which the sheet is computed. */
  readonly supersampling: number;
  /** Starts the sheet in finer pixels. */
  start(): Promise<RenderSheet>;
  /** Background colour `#rrggbb`, or null. */
  readonly background: string | null;
  readonly effects: readonly EffectStep<SurfaceEffect>[];
}

/** A sheet being rendered. */
export interface RenderSheet extends SheetRows {
  /** Relative distortion of the cell. */
  readonly strain: number;
}

/** Returns the plan of a checked request. */
export function picturePlan(context: RenderContext, request: SheetRequest): PicturePlan {
  const { design, render } = request;
  const size = sizeOf(design, render);
  const effects = surfaceStepsOf(design, render);
  const supersampling = supersamplingOf(design, render);
  const supersampledRequest = { ...request, render: supersampled(render, supersampling) };
  const start = async () => {
    const { period, ...sheet } = await startSheet(context, supersampledRequest);
    // A period of finer pixels is none of the picture's.
    return supersampling === 1 && period ? { ...sheet, period } : sheet;
  };
  return { size, dpi: render.dpi, supersampling, start, background: design.background, effects };
}

/** Starts the sheet of a checked request. */
async function startSheet(
  context: RenderContext,
  { design, source, render: fields }: SheetRequest,
): Promise<RenderSheet> {
  switch (fields.mode) {
    case "tile": {
      // Not given back where the tile fails: another thread may still write its samples.
      const { allocate, giveBack } = borrowFrom(context.pictureMemory);
      const tile = await renderTile(context, design, source, fields, { allocate });
      return { ...rowsOf(tile), period: tile, strain: tile.strain, end: giveBack };
    }
    case "aperiodic":
      return { ...(await startAperiodic(context, design, source, fields)), strain: 0 };
    default: {
      const { design: pattern, geometry } = patternSheet(design, fields);
      const sheet = await startSurface(context, pattern, source, geometry);
      const isDisc = fields.mode === "rosette" && fields.rosette.shape === "disc";
      return { ...(isDisc ? withinDisc(fields, sheet) : sheet), strain: geometry.strain };
    }
  }
}

/** Wraps a finished picture as rows. */
const rowsOf = (picture: SampledImage): SheetRows => ({
  rows: async (first, count) =>
    partOf(picture, first * picture.width, (first + count) * picture.width),
});

/** Returns rows of a sheet from those of its finer pixels. */
const downsampledRows = (width: number, factor: number, input: RowSource): RowSource =>
  factor === 1
    ? input
    : async (first, count) => {
        const rows = await input(first * factor, count * factor);
        return downsampled({ ...rows, width, height: count * factor }, factor);
      };

const onBackground =
  (background: string | null, input: RowSource): RowSource =>
  async (first, count) =>
    compositeBackground(await input(first, count), background);

/**
 * Yields the finished bands of rows `first` … `first + count − 1` in order, with a checkpoint after
 * each.
 */
export async function* bandsOf(
  context: RenderContext,
  { size, dpi, supersampling, background, effects: chosen }: PicturePlan,
  sheet: RenderSheet,
  { first, count: wanted }: { readonly first: number; readonly count: number },
  { timed, spent }: Stopwatch,
): AsyncGenerator<Band> {
  const supersampledSize = {
    width: size.width * supersampling,
    height: size.height * supersampling,
  };
  const covered = effectSheet(supersampledSize, dpi * supersampling);
  const effects: PreparedEffect[] = [];
  for (const one of chosen) {
    const recipe = [one.effect.id, one.params, covered];
    effects.push(await context.effects.of(recipe, () => prepareEffect(one, covered)));
  }
  const reach = Math.max(0, ...effects.map((effect) => effect.reach));
  const rows = Math.ceil(
    bandRows(supersampledSize.width, supersampledSize.height, reach) / supersampling,
  );
  const sampled: RowSource = (first, count) => timed("sample", () => sheet.rows(first, count));
  const steps: readonly ((input: RowSource) => RowSource)[] = [
    (input) => onBackground(background, input),
    ...effects.map(
      (effect) => (input: RowSource) =>
        applySurfaceEffect(context, effect, supersampledSize, rows * supersampling, input),
    ),
    (input) => downsampledRows(supersampledSize.width, supersampling, input),
  ];
  const finished = steps.reduce((input, step) => step(input), sampled);
  for (let firstRow = first; firstRow < first + wanted; firstRow += rows) {
    const count = Math.min(rows, first + wanted - firstRow);
    const before = spent.sample;
    const band = await timed("effects", () => finished(firstRow, count));
    // The effects pull the samples, whose time is already counted.
    spent.effects -= spent.sample - before;
    yield { ...band, firstRow, rows: count };
    await context.checkpoint();
  }
}
