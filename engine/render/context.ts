/** What a render has at hand in its worker. */
import type { KernelRunner } from "../backend.ts";
import { createPeriods, type Periods } from "./periods.ts";
import { createSources, type Sources } from "./sources.ts";

/** What stays from render to render. */
export interface Workbench {
  readonly runner: KernelRunner;
  readonly sources: Sources;
  readonly periods: Periods;
}

export interface RenderContext extends Workbench {
  /** Called between pieces of work of some milliseconds; throws `Cancelled` when nobody waits any more. */
  checkpoint(): Promise<void>;
}

/** Whoever asked for the render has gone away. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

/** Room for the largest period that is computed as a whole, with its alpha. */
const PERIOD_BYTES = 128 * 1024 * 1024;

/**
 * The bench of the worker that owns `runner`.
 * @param cacheBytes of decoded pictures, and as much again of cuts of them
 */
export const createWorkbench = (runner: KernelRunner, cacheBytes: number): Workbench => ({
  runner,
  sources: createSources(runner, cacheBytes),
  periods: createPeriods(PERIOD_BYTES),
});
