/**
 * Runs kernels on one of gpu.js's backends. gpu.js falls back silently to a slower mode for a kernel
 * that does not suit the requested one, so the mode is named and checked after the first call.
 */
import { type Kernel as CompiledByGpuJs, GPU, type IKernelRunShortcut } from "gpu.js";
import type { Kernel } from "../shaders/kernel.ts";
import {
  type Inputs,
  inputOf,
  inputsOf,
  type KernelArgument,
  type KernelConstants,
} from "./kernel-inputs.ts";
import "./kernel-code/vectors.ts";
import { constantIn, fitsIn, type KernelMemory, memoryOf, runIn } from "./kernel-memory.ts";
import { kernelText } from "./kernel-text/kernel-text.ts";

/** `webasm` is the reference: it returns the same bytes on every machine. */
export const BACKENDS = ["webgpu", "webasm", "cpu"] as const;
export type Backend = (typeof BACKENDS)[number];

/** Runs a compiled kernel in `count` threads; returns one number from each, in memory that the next run may use again. */
export type CompiledKernel = (
  count: number,
  args: readonly KernelArgument[],
) => Float32Array | Promise<Float32Array>;

/** A kernel compiled with constants. */
export interface BoundKernel {
  /**
   * Runs it in `count` threads, or more; returns one number from each, in memory that the next run may use again.
   * @param most threads of all runs, by default `count`
   */
  run(count: number, args: readonly KernelArgument[], most?: number): ReturnType<CompiledKernel>;
  /**
   * Writes the first `count` numbers of a constant that was bound as `Room`, which compiles nothing. On a GPU they
   * are 0 before `fill`, elsewhere what they were. From then on the most threads and the lengths of arguments stay the
   * same from run to run.
   */
  write(name: string, count: number, fill: (numbers: Float32Array) => void): void;
  release(): void;
}

export interface KernelRunner {
  readonly backend: Backend;
  /** Name of the GPU, such as `nvidia-h200`, or empty. */
  readonly device: string;
  /**
   * Threads per call: enough to amortise a call, and always the same, because `webasm` compiles a module
   * for each larger count and each length of an argument.
   */
  readonly chunk: number;
  /**
   * Runs a kernel, which is compiled at its first use and cached. Returns one number from each thread, in memory that
   * the kernel's next run may use again.
   */
  run(kernel: Kernel, count: number, args: readonly KernelArgument[]): ReturnType<CompiledKernel>;
  /**
   * Compiles a kernel with constants (`this.constants.…`). They are copied to the device once, where
   * arguments are copied at every call; `release` frees them.
   */
  bind(kernel: Kernel, constants: KernelConstants): BoundKernel;
  close(): Promise<void>;
}

/** The GPU was lost, by a driver fault or removal; a retry may find it again. */
export class DeviceLost extends Error {
  override readonly name = "DeviceLost";
}

const CHUNK: Record<Backend, number> = { webgpu: 1 << 18, webasm: 1 << 12, cpu: 1 << 14 };

/**
 * Creates a runner. `webgpu` needs `navigator.gpu`, as browsers have it.
 * @param device name of the GPU, or empty
 */
export function createRunner(backend: Backend, device: string): KernelRunner {
  const gpu = new GPU({ mode: backend });
  const compiled = new Map<Kernel, CompiledKernel>();
  return {
    backend,
    device,
    chunk: CHUNK[backend],
    run(kernel, count, args) {
      let run = compiled.get(kernel);
      if (run === undefined) {
        const made = compile(gpu, backend, kernel, {});
        run = backend === "webasm" ? runInMemory(made) : made.run;
        compiled.set(kernel, run);
      }
      return run(count, args);
    },
    bind: (kernel, constants) => BIND[backend](gpu, kernel, constants),
    async close() {
      await gpu.destroy();
    },
  };
}

/** Compiles a kernel at its first run, or when it is built before that. */
function compile(gpu: GPU, backend: Backend, kernel: Kernel, constants: Inputs) {
  const shortcut = gpu.createKernel(kernelText(kernel), {
    output: [1],
    dynamicOutput: true,
    // With it, gpu.js's cpu backend takes the output's width for the length of a row.
    dynamicArguments: backend !== "cpu",
    constants,
  });
  let checked = false;
  const run: CompiledKernel = (count, args) => {
    shortcut.setOutput([count]);
    const call = () => shortcut(...args.map(inputOf)) as ReturnType<CompiledKernel>;
    const result = backend === "webgpu" ? withLossDetection(shortcut, call) : call();
    if (!checked) {
      checkMode(shortcut, kernel, backend);
      checked = true;
    }
    return result;
  };
  return {
    run,
    kernel: () => shortcut.kernel,
    /** Compiles the kernel for a run with `args`. */
    build(count: number, args: readonly KernelArgument[]): void | Promise<void> {
      shortcut.setOutput([count]);
      // Typed as if every backend compiled at once.
      const call = (): void | Promise<void> => shortcut.kernel.build(...args.map(inputOf));
      const built = backend === "webgpu" ? withLossDetection(shortcut, call) : call();
      checkMode(shortcut, kernel, backend);
      return built;
    },
    release() {
      shortcut.destroy();
      // gpu.js keeps cpu kernels in this list, and with them their constants.
      const { kernels } = gpu as unknown as { kernels: unknown[] };
      const at = kernels.indexOf(shortcut.kernel);
      if (at >= 0) kernels.splice(at, 1);
    },
  };
}

/**
 * Runs a `webasm` kernel where its numbers lie, unless their lengths have changed: gpu.js prepares more for each call, and
 * copies the result to new memory.
 */
function runInMemory(compiled: ReturnType<typeof compile>): CompiledKernel {
  let memory: KernelMemory | undefined;
  return (count, args) => {
    if (memory !== undefined && fitsIn(memory, count, args)) return runIn(memory, count, args);
    const result = compiled.run(count, args);
    memory = memoryOf(compiled.kernel());
    return result;
  };
}

/** On the CPU a constant is the array itself. */
function bindOnCpu(gpu: GPU, kernel: Kernel, constants: KernelConstants): BoundKernel {
  const arrays: Record<string, Float32Array> = {};
  const inputs = inputsOf(constants, (name, room) => {
    if (room.depth !== undefined) throw new Error(`only webasm interpolates ${name}`);
    const values = new Float32Array(room.rows * room.length);
    arrays[name] = values;
    return values;
  });
  const { run, release } = compile(gpu, "cpu", kernel, inputs);
  return {
    run,
    write: (name, count, fill) => fill(arrays[name].subarray(0, count)),
    release,
  };
}

/** What gpu.js's `webgpu` kernels hold. */
interface KernelOnGpu {
  readonly _device: {
    createBuffer(fields: { size: number; usage: number; mappedAtCreation: true }): ConstantBuffer;
  };
  readonly paramsLayout: {
    readonly bufferConstants: readonly { readonly constantName: string; buffer: ConstantBuffer }[];
  };
  /** Of all constants: those that are destroyed with the kernel. */
  constantBuffers: readonly ConstantBuffer[];
  bindGroupDirty: boolean;
}

interface ConstantBuffer {
  getMappedRange(): ArrayBuffer;
  unmap(): void;
  destroy(): void;
}

/** GPUBufferUsage.STORAGE. */
const STORAGE = 0x80;

/**
 * On a GPU constants lie in buffers that gpu.js fills when it compiles. It offers no way to write them again,
 * so this exchanges the buffers, by private fields. They are only as long as what is written.
 */
function bindOnGpu(gpu: GPU, kernel: Kernel, constants: KernelConstants): BoundKernel {
  const inputs = inputsOf(constants, (name, { length, depth }) => {
    if (depth !== undefined) throw new Error(`only webasm interpolates ${name}`);
    return new Float32Array(length);
  });
  const compiled = compile(gpu, "webgpu", kernel, inputs);
  const pending = new Map<string, Float32Array>();
  /** Resolves once all that was written is on the GPU. */
  let ready: Promise<void> = Promise.resolve();
  const exchange = (written: ReadonlyMap<string, Float32Array>) => {
    const onGpu = compiled.kernel() as unknown as KernelOnGpu;
    for (const constant of onGpu.paramsLayout.bufferConstants) {
      const values = written.get(constant.constantName);
      if (values === undefined) continue;
      const fields = { size: values.byteLength, usage: STORAGE, mappedAtCreation: true } as const;
      const buffer = onGpu._device.createBuffer(fields);
      new Float32Array(buffer.getMappedRange()).set(values);
      buffer.unmap();
      // Runs that were submitted still read it.
      constant.buffer.destroy();
      constant.buffer = buffer;
    }
    onGpu.constantBuffers = onGpu.paramsLayout.bufferConstants.map(({ buffer }) => buffer);
    onGpu.bindGroupDirty = true;
  };
  return {
    run(count, args, most = count) {
      if (pending.size > 0) {
        const written = new Map(pending);
        pending.clear();
        ready = ready.then(() => compiled.build(most, args)).then(() => exchange(written));
      }
      // The caller may reuse the arrays before the kernel is ready to copy them.
      const kept = args.map((arg) => (typeof arg === "number" ? arg : arg.slice()));
      return ready.then(() => compiled.run(most, kept));
    },
    write(name, count, fill) {
      const values = new Float32Array(count);
      fill(values);
      pending.set(name, values);
    },
    release: compiled.release,
  };
}

/**
 * On `webasm` constants lie in the memory of the compiled module. gpu.js offers no way to write them
 * again, so this writes there, and then runs kernels there: gpu.js would run all threads, and prepares more for each call.
 */
function bindInMemory(gpu: GPU, kernel: Kernel, constants: KernelConstants): BoundKernel {
  // gpu.js copies the array when it compiles; a short one takes no time.
  const inputs = inputsOf(constants, () => new Float32Array(1));
  const compiled = compile(gpu, "webasm", kernel, inputs);
  const runUnwritten = runInMemory(compiled);
  const pending = new Map<string, (memory: KernelMemory) => void>();
  let memory: KernelMemory | undefined;
  return {
    run(count, args, most = count) {
      if (pending.size > 0) {
        // At once: only GPUs take their time.
        void compiled.build(most, args);
        memory = memoryOf(compiled.kernel());
        for (const write of pending.values()) write(memory);
        pending.clear();
      }
      if (memory === undefined) return runUnwritten(count, args);
      if (fitsIn(memory, count, args)) return runIn(memory, count, args);
      throw new Error("a kernel's lengths changed after its constants were written");
    },
    write(name, count, fill) {
      const write = (memory: KernelMemory) => fill(constantIn(memory, name).subarray(0, count));
      if (memory === undefined) pending.set(name, write);
      else write(memory);
    },
    release: compiled.release,
  };
}

const BIND = { webgpu: bindOnGpu, webasm: bindInMemory, cpu: bindOnCpu };

/** Calls a kernel on a GPU. Throws `DeviceLost` in place of gpu.js's error if the GPU was lost. */
async function withLossDetection<Result>(
  shortcut: IKernelRunShortcut,
  call: () => Result,
): Promise<Awaited<Result>> {
  try {
    return await call();
  } catch (cause) {
    // gpu.js learns of the loss after pending calls have failed.
    await new Promise((resolve) => setTimeout(resolve));
    const { context } = shortcut.kernel;
    throw context?.isLost ? new DeviceLost("the GPU was lost", { cause }) : cause;
  }
}

function checkMode(shortcut: IKernelRunShortcut, kernel: Kernel, backend: Backend): void {
  const { mode } = shortcut.kernel.constructor as typeof CompiledByGpuJs;
  if (mode !== backend) {
    throw new Error(
      `kernel ${kernel.run.name} fell back to ${mode}: ${shortcut.kernel.fallbackReason ?? "no reason given"}`,
    );
  }
}
