/** What a gpu.js kernel sees as `this`, and how the catalogues carry one. See README.md. */

/** gpu.js binds this: `thread.x` is the point's or pixel's number within the call. */
export interface KernelThis {
  readonly thread: { readonly x: number };
}

/** A kernel as gpu.js reads it: by its source text. Bound constants are further members of `this`. */
// biome-ignore lint/suspicious/noExplicitAny: gpu.js kernels take whatever arguments their call gives
export type KernelFunction = (this: any, ...args: any[]) => number;

/** A kernel with the helper functions that its text calls by name. */
export interface Kernel {
  readonly run: KernelFunction;
  // biome-ignore lint/suspicious/noExplicitAny: helpers differ in their parameters
  readonly helpers?: readonly ((...args: any[]) => number)[];
}
