/**
 * Runs kernels on one of gpu.js's backends. gpu.js falls back silently to a slower mode for a kernel
 * that does not suit the requested one, so the mode is named and checked after the first call.
 */
import { GPU, type IKernelRunShortcut, Input } from "gpu.js";
import type { Kernel } from "../shaders/kernel.ts";
import { kernelText } from "./kernel-text/kernel-text.ts";

/** `webasm` is the reference: it returns the same bytes on every machine. */
export const BACKENDS = ["webgpu", "webasm", "cpu"] as const;
export type Backend = (typeof BACKENDS)[number];

/** Arrays are flat; numbers become 32-bit floats. */
export type KernelArgument = number | Float32Array;

/** An array that a kernel reads by row and column. */
export interface Rows {
  readonly values: Float32Array;
  /** Numbers in a row. */
  readonly length: number;
}

/** Constants of a kernel by name. */
export type KernelConstants = Readonly<Record<string, KernelArgument | Rows>>;

/** Runs a compiled kernel in `count` threads; returns one number from each. */
export type CompiledKernel = (
  count: number,
  args: readonly KernelArgument[],
) => Float32Array | Promise<Float32Array>;

export interface KernelRunner {
  readonly backend: Backend;
  /** Name of the GPU, such as `NVIDIA H200`, or empty. */
  readonly device: string;
  /**
   * Threads per call: enough to amortise a call, and always the same, because `webasm` compiles a module
   * for each count.
   */
  readonly chunk: number;
  /** Runs a kernel, which is compiled at its first use and cached. */
  run(kernel: Kernel, count: number, args: readonly KernelArgument[]): ReturnType<CompiledKernel>;
  /**
   * Compiles a kernel with constants (`this.constants.…`). They are copied to the device once, where
   * arguments are copied at every call; `release` frees them.
   */
  bind(
    kernel: Kernel,
    constants: KernelConstants,
  ): { readonly run: CompiledKernel; release(): void };
  close(): Promise<void>;
}

/** The GPU was lost, by a driver fault or removal; a retry may find it again. */
export class DeviceLost extends Error {
  override readonly name = "DeviceLost";
}

const CHUNK: Record<Backend, number> = { webgpu: 1 << 18, webasm: 1 << 14, cpu: 1 << 14 };

/**
 * Creates a runner. `webgpu` needs `navigator.gpu`, as browsers have it.
 * @param device name of the GPU, or empty
 */
export function createRunner(backend: Backend, device: string): KernelRunner {
  const gpu = new GPU({ mode: backend });
  const compiled = new Map<Kernel, CompiledKernel>();

  const compile = (kernel: Kernel, constants?: KernelConstants) => {
    const shortcut = gpu.createKernel(kernelText(kernel) as never, {
      output: [1],
      dynamicOutput: true,
      // With it, gpu.js's cpu backend takes the output's width for the length of a row.
      dynamicArguments: backend !== "cpu",
      ...(constants === undefined ? {} : { constants: asInputs(constants) as never }),
    });
    let checked = false;
    const run: CompiledKernel = (count, args) => {
      shortcut.setOutput([count]);
      const call = () =>
        shortcut(...(args.map(asInput) as never[])) as unknown as ReturnType<CompiledKernel>;
      const result = backend === "webgpu" ? withLossDetection(shortcut, call) : call();
      if (!checked) {
        checkMode(shortcut, kernel, backend);
        checked = true;
      }
      return result;
    };
    const release = () => {
      shortcut.destroy();
      // gpu.js keeps cpu kernels in this list, and with them their constants.
      const { kernels } = gpu as unknown as { kernels: unknown[] };
      const at = kernels.indexOf(shortcut.kernel);
      if (at >= 0) kernels.splice(at, 1);
    };
    return { run, release };
  };

  return {
    backend,
    device,
    chunk: CHUNK[backend],
    run(kernel, count, args) {
      let run = compiled.get(kernel);
      if (run === undefined) {
        run = compile(kernel).run;
        compiled.set(kernel, run);
      }
      return run(count, args);
    },
    bind: (kernel, constants) => compile(kernel, constants),
    async close() {
      await gpu.destroy();
    },
  };
}

/** Calls a kernel on a GPU. Throws `DeviceLost` in place of gpu.js's error if the GPU was lost. */
async function withLossDetection(
  shortcut: IKernelRunShortcut,
  call: () => ReturnType<CompiledKernel>,
): Promise<Float32Array> {
  try {
    return await call();
  } catch (cause) {
    // gpu.js learns of the loss after pending calls have failed.
    await new Promise((resolve) => setTimeout(resolve));
    const { context } = shortcut.kernel as unknown as { context?: { isLost: boolean } };
    throw context?.isLost ? new DeviceLost("the GPU was lost", { cause }) : cause;
  }
}

function checkMode(shortcut: IKernelRunShortcut, kernel: Kernel, backend: Backend): void {
  const inner = shortcut.kernel as unknown as {
    constructor: { mode: string };
    fallbackReason?: string;
  };
  if (inner.constructor.mode !== backend) {
    throw new Error(
      `kernel ${kernel.run.name} fell back to ${inner.constructor.mode}: ${inner.fallbackReason ?? "no reason given"}`,
    );
  }
}

// gpu.js types Input for number[] only, but takes typed arrays too.
const asInput = (value: KernelArgument | Rows) => {
  if (typeof value === "number") return value;
  if (value instanceof Float32Array) return new Input(value as unknown as number[], [value.length]);
  const { values, length } = value;
  return new Input(values as unknown as number[], [length, values.length / length]);
};

const asInputs = (values: KernelConstants) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asInput(value)]));
