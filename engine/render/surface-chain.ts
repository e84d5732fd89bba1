/** Applies surface effects to a sheet that is rendered row by row. */

import { linearChannel, packLight } from "../image/packed.ts";
import { compositeBackground, type Samples } from "../image/samples.ts";
import type { Size } from "../size.ts";
import type { RenderContext } from "./context.ts";
import type { PreparedEffect } from "./surface-effect.ts";

/** Resolves with rows first … first + count − 1 of a sheet, in memory that the next call may use again. */
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
  const buffered = effect.reach === undefined ? input : bufferRows(sheet, rows, reach, input);
  let padded: Float32Array | undefined;
  /** Returns the rows of a kernel call, `reach` rows before `first` on; `seen` starts at row `from`. */
  const pad = (seen: Float32Array, first: number, from: number) => {
    padded ??= new Float32Array((rows + 2 * reach) * width);
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
    const colour = finished.subarray(0, count * width);
    if (held.alpha === null) return { colour, alpha: null };
    const alpha = here(held.alpha);
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
 * Buffers the rows that overlapping requests share, `reach` on both sides, and requests each row from `input` once, `rows` at
 * a time. May return more rows than requested.
 */
function bufferRows(
  { width, height }: Size,
  rows: number,
  reach: number,
  input: RowSource,
): RowSource {
  const newBuffer = () => new Float32Array((2 * rows + 2 * reach) * width);
  const colours = newBuffer();
  let alphas: Float32Array | null = null;
  let from = 0;
  let to: number | null = null;
  return async (first, count) => {
    if (to === null) [from, to] = [first, first];
    for (const held of [colours, alphas]) {
      held?.copyWithin(0, (first - from) * width, (to - from) * width);
    }
    from = first;
    while (to < first + count) {
      const part = Math.min(rows, height - to);
      const { colour, alpha } = await input(to, part);
      colours.set(colour, (to - from) * width);
      if (alpha !== null) {
        alphas ??= newBuffer();
        alphas.set(alpha, (to - from) * width);
      }
      to += part;
    }
    const length = (to - from) * width;
    return { colour: colours.subarray(0, length), alpha: alphas?.subarray(0, length) ?? null };
  };
}
