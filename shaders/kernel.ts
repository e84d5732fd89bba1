/** What a gpu.js kernel sees as `this`, and how the catalogues carry one. See README.md. */
import type { Layout } from "./lib/layout.ts";

/** gpu.js binds this: `thread.x` is the point's or pixel's number within the call. */
export interface KernelThis {
  readonly thread: { readonly x: number };
}

/** A kernel as gpu.js reads it: by its source text. Bound constants are further members of `this`. */
// biome-ignore lint/suspicious/noExplicitAny: gpu.js kernels take whatever arguments their call gives
export type KernelFunction = (this: any, ...args: any[]) => number;

/** A function that a kernel calls: numbers, arrays and records in, a number or an object of numbers out. */
// biome-ignore lint/suspicious/noExplicitAny: helpers differ in their parameters
export type Helper = (...args: any[]) => number | object;

/** A kernel with the names that its text uses; a kernel sees nothing else of its module. */
export interface Kernel {
  readonly run: KernelFunction;
  /** Functions that it, or one of them, calls. */
  readonly helpers?: readonly Helper[];
  /** Layouts of the parameters of `run` that are a record or records. */
  readonly records?: Readonly<Record<string, Layout>>;
  /** Numbers that have a name. */
  readonly literals?: Readonly<Record<string, number>>;
}
