/** Surface effects over a sheet that comes as rows, in order. */
import { linearChannel, packLight } from "../image/packed.ts";
import { compositeBackground } from "./bands.ts";
import type { RenderContext } from "./context.ts";
import { partOf, type Samples } from "./samples.ts";
import type { PreparedEffect } from "./surface-effect.ts";

interface Size {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Gives rows first … first + count − 1 of a sheet. */
export type RowSource = (first: number, count: number) => Promise<Samples>;

/**
 * A sheet with an effect laid over it. Rows have to be asked for in order, from any row on, at most
 * `rows` at once; those that the next band looks at too are kept, so that nothing is computed twice.
 * @param rows how many rows `below` is asked for, and a call of the kernel has: calls of one size
 * are compiled once
 */
export function applySurfaceEffect(
  context: RenderContext,
  { effect, params, table, reach }: PreparedEffect,
  sheet: Size,
  rows: number,
  below: RowSource,
): RowSource {
  const { width, height } = sheet;
  const kept = bufferRows(sheet, rows, below);
  const padded = new Float32Array((rows + 2 * reach) * width);
  /** Rows as a call has them, of what was given from a row on. */
  const pad = (seen: Float32Array, first: number, from: number) => {
    // Beyond the sheet its first and its last row go on.
    for (let row = 0; row < rows + 2 * reach; row++) {
      const wanted = Math.min(Math.max(first + row - reach, 0), height - 1);
      const at = Math.min(wanted - from, seen.length / width - 1) * width;
      padded.set(seen.subarray(at, at + width), row * width);
    }
    return padded;
  };
  return async (first, count) => {
    const from = Math.max(first - reach, 0);
    const held = await kept(from, Math.min(first + count + reach, height) - from);
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

/** What an effect that looks at neighbours finds where nothing is printed. */
const PAPER = "#ffffff";

/**
 * Turns what an effect made of partly transparent pixels on paper into colours of their own that
 * look the same on paper, as far as there are such colours. All are packed, pixel by pixel.
 * @param finished what the effect has made; changed
 * @param before the pixels' own colours before
 * @param onPaper what the effect has seen
 */
function uncomposite(
  finished: Float32Array,
  before: Float32Array,
  onPaper: Float32Array,
  alpha: Float32Array,
): void {
  for (let pixel = 0; pixel < finished.length; pixel++) {
    const share = (alpha[pixel] as number) / 255;
    if (share === 1) continue;
    const own = before[pixel] as number;
    const seen = onPaper[pixel] as number;
    const made = finished[pixel] as number;
    const channel = (shift: 16 | 8 | 0) =>
      linearChannel(own, shift) + (linearChannel(made, shift) - linearChannel(seen, shift)) / share;
    finished[pixel] =
      share === 0 || made === seen ? own : packLight(channel(16), channel(8), channel(0));
  }
}

/**
 * A sheet that keeps the rows that the next request will overlap with, and may give more of them
 * than it was asked for; asks `below` for each row once, in pieces of `rows`.
 */
function bufferRows({ width, height }: Size, rows: number, below: RowSource): RowSource {
  let held: Samples | null = null;
  let heldFrom = 0;
  let heldTo: number | null = null;
  return async (first, count) => {
    heldTo ??= first;
    const overlaps = held !== null && first < heldTo;
    const pieces = overlaps ? [partOf(held as Samples, (first - heldFrom) * width)] : [];
    while (heldTo < first + count) {
      const part = Math.min(rows, height - heldTo);
      pieces.push(await below(heldTo, part));
      heldTo += part;
    }
    held = concatSamples(pieces);
    heldFrom = first;
    return held;
  };
}

/** Pieces in one, all with alpha or all without. */
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
