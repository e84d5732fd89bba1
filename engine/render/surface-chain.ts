/** Applies surface effects to a sheet that is rendered row by row. */

import { linearChannel, packLight } from "../image/packed.ts";
import { compositeBackground, partOf, type Samples } from "../image/samples.ts";
import type { Size } from "../size.ts";
import type { RenderContext } from "./context.ts";
import type { PreparedEffect } from "./surface-effect.ts";

/** Resolves with rows first … first + count − 1 of a sheet. */
export type RowSource = (first: number, count: number) => Promise<Samples>;

/**
 * Returns a sheet with an effect applied. Rows have to be requested in order, from any row on, at most
 * `rows` at once; rows that the next band needs too are buffered, so that none is computed twice.
 * @param rows per request to `input` and per kernel call: kernels are compiled once per size
 */
export function applySurfaceEffect(
  context: RenderContext,
  { effect, params, table, reach }: PreparedEffect,
  sheet: Size,
  rows: number,
  input: RowSource,
): RowSource {
  const { width, height } = sheet;
  const buffered = bufferRows(sheet, rows, input);
  const padded = new Float32Array((rows + 2 * reach) * width);
  /** Returns the rows of a kernel call, `reach` rows before `first` on; `seen` starts at row `from`. */
  const pad = (seen: Float32Array, first: number, from: number) => {
    // The first and the last row extend beyond the sheet.
    for (let row = 0; row < rows + 2 * reach; row++) {
      const wanted = Math.min(Math.max(first + row - reach, 0), height - 1);
      const at = Math.min(wanted - from, seen.length / width - 1) * width;
      padded.set(seen.subarray(at, at + width), row * width);
    }
    return padded;
  };
  return async (first, count) => {
    const from = Math.max(first - reach, 0);
    const held = await buffered(from, Math.min(first + count + reach, height) - from);
    const seen = effect.reach === undefined ? held : compositeBackground(held, PAPER);
    const isAsCalled = reach === 0 && count === rows;
    const args = [isAsCalled ? seen.colour : pad(seen.colour, first, from), first, width, height];
    const finished = await context.runner.run(effect.kernel, rows * width, [
      ...args,
      params,
      table,
      ...(effect.reach === undefined ? [] : [reach]),
    ]);
    await context.checkpoint();
    const here = (values: Float32Array) =>
      values.subarray((first - from) * width, (first - from + count) * width);
    const colour = count === rows ? finished : finished.slice(0, count * width);
    if (held.alpha === null) return { colour, alpha: null };
    const alpha = here(held.alpha).slice();
    if (seen !== held) uncomposite(colour, here(held.colour), here(seen.colour), alpha);
    return { colour, alpha };
  };
}

/** Background that effects with a reach see behind transparent pixels. */
const PAPER = "#ffffff";

/**
 * Converts an effect's output for partly transparent pixels on paper into straight colours that look
 * the same on paper, as far as such colours exist. All colours are packed.
 * @param finished the effect's output; changed in place
 * @param before the pixels' straight colours before the effect
 * @param onPaper the effect's input
 */
function uncomposite(
  finished: Float32Array,
  before: Float32Array,
  onPaper: Float32Array,
  alpha: Float32Array,
): void {
  for (let pixel = 0; pixel < finished.length; pixel++) {
    const share = alpha[pixel] / 255;
    if (share === 1) continue;
    const own = before[pixel];
    const seen = onPaper[pixel];
    const result = finished[pixel];
    const channel = (shift: 16 | 8 | 0) =>
      linearChannel(own, shift) +
      (linearChannel(result, shift) - linearChannel(seen, shift)) / share;
    finished[pixel] =
      share === 0 || result === seen ? own : packLight(channel(16), channel(8), channel(0));
  }
}

/**
 * Buffers rows for overlapping requests and requests each row from `input` once, `rows` at a time. May
 * return more rows than requested.
 */
function bufferRows({ width, height }: Size, rows: number, input: RowSource): RowSource {
  let held: Samples | null = null;
  let heldFrom = 0;
  let heldTo: number | null = null;
  return async (first, count) => {
    heldTo ??= first;
    const pieces =
      held !== null && first < heldTo ? [partOf(held, (first - heldFrom) * width)] : [];
    while (heldTo < first + count) {
      const part = Math.min(rows, height - heldTo);
      pieces.push(await input(heldTo, part));
      heldTo += part;
    }
    held = concatSamples(pieces);
    heldFrom = first;
    return held;
  };
}

/** Concatenates samples, all with alpha or all without. */
function concatSamples(pieces: readonly Samples[]): Samples {
  const [only, ...others] = pieces;
  if (only === undefined) throw new RangeError("rows were asked for twice, or none were");
  if (others.length === 0) return only;
  const join = (parts: readonly Float32Array[]) => {
    const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  };
  const alphas = pieces.flatMap(({ alpha }) => (alpha === null ? [] : [alpha]));
  return {
    colour: join(pieces.map(({ colour }) => colour)),
    alpha: alphas.length === 0 ? null : join(alphas),
  };
}
