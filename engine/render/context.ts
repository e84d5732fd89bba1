/** What a render has at hand in its worker. */
import type { KernelRunner } from "../backend.ts";
import type { Codec } from "../codec/protocol.ts";
import { createMemo, type Memo } from "./memo.ts";
import type { Samples } from "./samples.ts";
import { createSources, type Sources } from "./sources.ts";
import type { PreparedEffect } from "./surface-effect.ts";

/** What stays from render to render. */
export interface Workbench {
  readonly runner: KernelRunner;
  readonly sources: Sources;
  /** Periods of patterns. */
  readonly periods: Memo<Samples>;
  readonly effects: Memo<PreparedEffect>;
}

export interface RenderContext extends Workbench {
  readonly codec: Codec;
  /** Called between pieces of work of some milliseconds; throws `Cancelled` when nobody waits any more. */
  checkpoint(): Promise<void>;
}

/** Whoever asked for the render has gone away. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

/**
 * Periods that are kept: those of two sheets whose strips come in turn, as far as there is room for the
 * largest that is computed as a whole, with its alpha.
 */
const PERIODS = 2;
const PERIOD_BYTES = 128 * 1024 * 1024;

/** A surface effect's tables have up to half a megabyte. */
const EFFECTS = 16;
const EFFECT_BYTES = 8 * 1024 * 1024;

/**
 * The bench of the worker that owns `runner`.
 * @param cacheBytes of decoded pictures, as much again of cuts of them, and at most as much of periods
 */
export const createWorkbench = (runner: KernelRunner, cacheBytes: number): Workbench => ({
  runner,
  sources: createSources(runner, cacheBytes),
  periods: createMemo<Samples>(
    PERIODS,
    Math.min(PERIOD_BYTES, cacheBytes),
    ({ colour, alpha }) => colour.byteLength + (alpha?.byteLength ?? 0),
  ),
  effects: createMemo<PreparedEffect>(
    EFFECTS,
    EFFECT_BYTES,
    ({ params, table }) => params.byteLength + table.byteLength,
  ),
});
