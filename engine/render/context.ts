/** Resources of a render in its worker thread. */

import { PICTURE_COLOURS, type PictureColour } from "../../shaders/effects/effect.ts";
import type { Encoders } from "../encoders/index.ts";
import type { Samples } from "../image/samples.ts";
import type { KernelRunner } from "../kernel-runner.ts";
import { createPictureMemory, type PictureMemory } from "../reused-array.ts";
import type { Codec } from "./codec.ts";
import type { AskForHelp } from "./help.ts";
import { createMemo, type Memo } from "./memo.ts";
import type { CutSeam } from "./seams/cut-seam.ts";
import { createSources, type Sources } from "./sources.ts";
import type { Spans } from "./spans.ts";
import type { PreparedEffect } from "./surface-effect.ts";

/** Resources and caches shared by the renders of a worker. */
export interface WorkerContext {
  readonly runner: KernelRunner;
  readonly encoders: Encoders;
  readonly sources: Sources;
  readonly pictureMemory: PictureMemory;
  /** Memory for spans, which goes from some lines to the next. */
  readonly spanMemory: Spans[];
  /** Periods of patterns. */
  readonly periods: Memo<KeptPeriod>;
  readonly effects: Memo<PreparedEffect>;
  readonly seams: Memo<CutSeam>;
  /** Main colours of sources. */
  readonly colours: Memo<readonly PictureColour[]>;
}

/** A period, whose memory is used again when it is evicted: the sheets of a thread take turns, and need one each. */
export interface KeptPeriod extends Samples {
  giveBack(): void;
}

export interface RenderContext extends WorkerContext {
  readonly codec: Codec;
  /** Absent where no place was idle when the job began. */
  readonly help?: AskForHelp;
  /** Called every few milliseconds of work. Rejects with `Cancelled` once the job is cancelled. */
  checkpoint(): Promise<void>;
}

/** The caller has cancelled the render. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

/** Memory that is kept for the next pictures: a tile of 2048² pixels without alpha. */
const PICTURE_BYTES = 16 * 1024 * 1024;

/**
 * Cached periods: those of two sheets whose strips alternate. The bytes fit the largest period with
 * alpha.
 */
const PERIODS = 2;
const PERIOD_BYTES = 128 * 1024 * 1024;

/** Cached surface effects; their tables have up to half a megabyte each. */
const EFFECTS = 16;
const EFFECT_BYTES = 8 * 1024 * 1024;

/** Cached seams; each has up to a megabyte, those of previews a quarter. */
const SEAMS = 32;
const SEAM_BYTES = 16 * 1024 * 1024;

/** Cached main colours, and the bytes of one of them. */
const COLOURS = 256;
const COLOUR_BYTES = 120;

/**
 * Creates the caches of the worker that owns `runner`.
 * @param cacheBytes half of them for the kernels that sample sources, and at most as much as all for periods
 */
export const createWorkerContext = (
  runner: KernelRunner,
  encoders: Encoders,
  cacheBytes: number,
): WorkerContext => ({
  runner,
  encoders,
  sources: createSources(runner, cacheBytes / 2),
  pictureMemory: createPictureMemory(PICTURE_BYTES),
  spanMemory: [],
  periods: createMemo<KeptPeriod>(
    PERIODS,
    Math.min(PERIOD_BYTES, cacheBytes),
    ({ colour, alpha }) => colour.byteLength + (alpha?.byteLength ?? 0),
    (period) => period.giveBack(),
  ),
  effects: createMemo<PreparedEffect>(
    EFFECTS,
    EFFECT_BYTES,
    ({ params, table }) => params.byteLength + table.byteLength,
  ),
  seams: createMemo<CutSeam>(SEAMS, SEAM_BYTES, ({ depths, correction }) =>
    [depths, ...(correction ?? [])].reduce((sum, { byteLength }) => sum + byteLength, 0),
  ),
  colours: createMemo<readonly PictureColour[]>(
    COLOURS,
    COLOURS * PICTURE_COLOURS * COLOUR_BYTES,
    ({ length }) => Math.max(length, 1) * COLOUR_BYTES,
  ),
});
