/** What a render has at hand in its worker. */
import type { KernelRunner } from "../backend.ts";
import type { Sources } from "./sources.ts";

export interface RenderContext {
  readonly runner: KernelRunner;
  readonly sources: Sources;
  /** Called between pieces of work of some milliseconds; throws `Cancelled` when nobody waits any more. */
  checkpoint(): Promise<void>;
}

/** Whoever asked for the render has gone away. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}
