/** The `this` of gpu.js kernels, and their form in the catalogues. See README.md. */
import type { Layout } from "./lib/layout.ts";

/** `this` of a kernel: `thread.x` is the index of the point or pixel in the call. */
export interface KernelThis {
  readonly thread: { readonly x: number };
}

/** A kernel; gpu.js compiles its source text. Bound constants are further members of `this`. */
// biome-ignore lint/suspicious/noExplicitAny: gpu.js kernels take whatever arguments their call gives
export type KernelFunction = (this: any, ...args: any[]) => number;

/** A function that a kernel calls: from numbers, arrays and records to a number or an object of numbers. */
// biome-ignore lint/suspicious/noExplicitAny: helpers differ in their parameters
export type Helper = (...args: any[]) => number | object;

/** A kernel with the names that its text uses; nothing else of its module is in scope. */
export interface Kernel {
  readonly run: KernelFunction;
  /** Functions that it or its helpers call. */
  readonly helpers?: readonly Helper[];
  /** What is called in place of some of these, by them. */
  readonly replacements?: ReadonlyMap<Helper, Helper>;
  /** Layouts of the parameters of `run` that are records. */
  readonly records?: Readonly<Record<string, Layout>>;
  /** Named numbers. */
  readonly literals?: Readonly<Record<string, number>>;
}
