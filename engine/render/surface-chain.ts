/** Surface effects over a sheet that comes as rows, in order. */
import { effectArguments, type SurfaceEffect } from "../../shaders/catalog.ts";
import type { ChosenEffect } from "../check.ts";
import type { RenderContext } from "./context.ts";
import type { Samples } from "./sample.ts";

interface Size {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Gives rows first … first + count − 1 of a sheet. */
export type RowSource = (first: number, count: number) => Promise<Samples>;

/** A surface effect as its kernel wants it, on one sheet. */
export interface PreparedEffect {
  readonly effect: SurfaceEffect;
  readonly params: Float32Array;
  readonly table: Float32Array;
  /** Rows that it looks at above and below. */
  readonly reach: number;
}

export const prepareEffect = (
  { effect, params }: ChosenEffect<SurfaceEffect>,
  sheet: Size,
): PreparedEffect => ({ effect, ...effectArguments(effect, params, sheet) });

/**
 * A sheet with an effect laid over it. Rows have to be asked for in order; those that the next
 * band looks at too are kept, so that nothing is computed twice.
 * @param rows how many rows a call of the kernel should have: calls of one size are compiled once
 */
export function layEffect(
  context: RenderContext,
  { effect, params, table, reach }: PreparedEffect,
  sheet: Size,
  rows: number,
  below: RowSource,
): RowSource {
  const { width, height } = sheet;
  const kept = keepRows(width, below);
  const padded = new Float32Array((rows + 2 * reach) * width);
  return async (first, count) => {
    const from = Math.max(first - reach, 0);
    const { colour, alpha } = await kept(from, Math.min(first + count + reach, height) - from);
    const out = new Float32Array(count * width);
    for (let done = 0; done < count; done += rows) {
      // Beyond the sheet its first and its last row go on.
      for (let row = 0; row < rows + 2 * reach; row++) {
        const wanted = Math.min(Math.max(first + done + row - reach, 0), height - 1);
        const at = Math.min(wanted - from, colour.length / width - 1) * width;
        padded.set(colour.subarray(at, at + width), row * width);
      }
      const args = [padded, first + done, width, height, params, table];
      const finished = await context.runner.run(
        effect.kernel,
        rows * width,
        effect.reach === undefined ? args : [...args, reach],
      );
      const part = Math.min(rows, count - done) * width;
      out.set(finished.subarray(0, part), done * width);
      await context.checkpoint();
    }
    const start = (first - from) * width;
    return { colour: out, alpha: alpha?.slice(start, start + count * width) ?? null };
  };
}

/** Keeps the rows that the next request will overlap with; asks `below` for each row once. */
function keepRows(width: number, below: RowSource): RowSource {
  let held: Samples | null = null;
  let heldFrom = 0;
  return async (first, count) => {
    const heldTo = held === null ? 0 : heldFrom + held.colour.length / width;
    const missing = await below(heldTo, first + count - heldTo);
    const old = held;
    const joined = (before: Float32Array | undefined, after: Float32Array) => {
      const overlap = before?.subarray((first - heldFrom) * width) ?? new Float32Array(0);
      if (overlap.length === 0) return after;
      const all = new Float32Array(overlap.length + after.length);
      all.set(overlap);
      all.set(after, overlap.length);
      return all;
    };
    held = {
      colour: joined(old?.colour, missing.colour),
      alpha: missing.alpha === null ? null : joined(old?.alpha ?? undefined, missing.alpha),
    };
    heldFrom = first;
    return held;
  };
}
