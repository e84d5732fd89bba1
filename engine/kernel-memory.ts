/** The memory of gpu.js's `webasm` kernels, by its private fields. */
import { registerMemory } from "./image/light-copy.ts";
import type { KernelArgument } from "./kernel-inputs.ts";

/** An argument's number, and its place in a kernel's memory in bytes. */
interface PlacedArgument {
  readonly index: number;
  readonly offset: number;
}

/** What a kernel holds for one number of threads and one set of argument lengths. */
export interface KernelMemory {
  readonly memory: WebAssembly.Memory;
  readonly f32: Float32Array;
  readonly i32: Int32Array;
  readonly layout: {
    readonly constantArrays: Readonly<Record<string, { readonly offset: number }>>;
    readonly arrays: Readonly<Record<string, PlacedArgument & { readonly flatLength: number }>>;
    readonly scalars: Readonly<Record<string, PlacedArgument & { readonly type: string }>>;
    readonly outputOffset: number;
  };
  /** How many threads it was made for. */
  readonly cells: number;
  /** Runs threads from … to − 1, SIMD four at a time. */
  readonly run: RunThreads;
  readonly runSimd: RunThreads | null;
}

type RunThreads = (from: number, to: number, seed: number) => void;

const BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Threads of a vector. */
const LANES = 4;

/** Returns the memory of a kernel that is built. Sources can be copied to it without JavaScript. */
export function memoryOf(kernel: object): KernelMemory {
  const { _active } = kernel as { readonly _active: KernelMemory };
  registerMemory(_active.memory);
  return _active;
}

/** Returns the memory from the start of a constant on. */
export const constantIn = ({ f32, layout }: KernelMemory, name: string): Float32Array =>
  f32.subarray(layout.constantArrays[name].offset / BYTES);

/** Returns whether a kernel's memory has room for so many threads and for arguments of these lengths. */
export function fitsIn(
  { layout, cells }: KernelMemory,
  count: number,
  args: readonly KernelArgument[],
): boolean {
  if (count > cells) return false;
  for (const name in layout.arrays) {
    const { index, flatLength } = layout.arrays[name];
    if ((args[index] as Float32Array).length !== flatLength) return false;
  }
  return true;
}

/** Runs `count` threads in a kernel's memory, in which they fit. Returns their numbers, which the next run overwrites. */
export function runIn(
  { f32, i32, layout, cells, run, runSimd }: KernelMemory,
  count: number,
  args: readonly KernelArgument[],
): Float32Array {
  for (const name in layout.arrays) {
    const { index, offset } = layout.arrays[name];
    f32.set(args[index] as Float32Array, offset / BYTES);
  }
  for (const name in layout.scalars) {
    const { index, offset, type } = layout.scalars[name];
    const numbers = type === "Integer" ? i32 : f32;
    numbers[offset / BYTES] = args[index] as number;
  }
  // There may be memory for less than a vector of threads after the last whole one.
  const whole = Math.min(Math.ceil(count / LANES), Math.floor(cells / LANES));
  const inVectors = runSimd === null ? 0 : LANES * whole;
  runSimd?.(0, inVectors, 0);
  if (inVectors < count) run(inVectors, count, 0);
  const first = layout.outputOffset / BYTES;
  return f32.subarray(first, first + count);
}
