/**
 * Where kernels run. A worker opens one backend when it starts and keeps it: `webgpu` where a
 * real adapter answers, otherwise `webasm` (the reference: the same bytes on every machine),
 * otherwise `cpu`.
 *
 * gpu.js falls back silently to a slower mode when a kernel does not suit the one that was
 * asked for, so the mode is named, never left to gpu.js, and checked after the first call.
 */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { GPU, type IKernelRunShortcut, Input } from "gpu.js";
import type { Kernel } from "../shaders/kernel.ts";
import { BackendUnavailable } from "./errors.ts";
import { kernelText } from "./kernel-text/kernel-text.ts";

export const BACKENDS = ["webgpu", "webasm", "cpu"] as const;
export type Backend = (typeof BACKENDS)[number];
export type BackendChoice = Backend | "auto";

/** Arrays travel flat; numbers become 32-bit floats. */
export type KernelArgument = number | Float32Array;

/** An array that a kernel reads by row and column. */
export interface Rows {
  readonly values: Float32Array;
  /** Numbers in a row. */
  readonly length: number;
}

/** What a kernel can be bound to. */
export type KernelConstants = Readonly<Record<string, KernelArgument | Rows>>;

/** A compiled kernel: `count` threads, one number from each. */
export type CompiledKernel = (
  count: number,
  args: readonly KernelArgument[],
) => Float32Array | Promise<Float32Array>;

export interface KernelRunner {
  readonly backend: Backend;
  /** How the device calls itself, e.g. `NVIDIA H200`; empty off the GPU. */
  readonly device: string;
  /**
   * Threads a call should have: large enough to hide a call's own cost, the same for all calls,
   * because `webasm` compiles a module for every size it meets.
   */
  readonly chunk: number;
  /** Runs a kernel; it is compiled at its first use and kept. */
  run(kernel: Kernel, count: number, args: readonly KernelArgument[]): ReturnType<CompiledKernel>;
  /**
   * Compiles a kernel around constants (`this.constants.…`), which are copied to the device once
   * and stay there: arguments are copied at every call. `release` frees them.
   */
  bind(
    kernel: Kernel,
    constants: KernelConstants,
  ): { readonly run: CompiledKernel; release(): void };
  close(): Promise<void>;
}

/** The GPU is gone, by a fault of its driver or because it was taken out; another try may find it. */
export class DeviceLost extends Error {
  override readonly name = "DeviceLost";
}

const CHUNK: Record<Backend, number> = { webgpu: 1 << 18, webasm: 1 << 14, cpu: 1 << 14 };

/**
 * Opens the backend that was chosen, or with `auto` the best one that is there. A GPU that is
 * simulated in software is taken only when `webgpu` is asked for by name: it is slower than
 * `webasm`. Throws `BackendUnavailable`.
 */
export async function openBackend(choice: BackendChoice): Promise<KernelRunner> {
  if (choice === "webgpu" || (choice === "auto" && mayHaveGpu())) {
    const device = await findGpu(choice === "webgpu");
    if (device !== null) return makeRunner("webgpu", device);
    if (choice === "webgpu") {
      throw new BackendUnavailable(
        "ENGINE_BACKEND=webgpu: no WebGPU adapter answers on this machine (is there a GPU with a Vulkan driver?)",
      );
    }
  }
  if (choice === "cpu" || !GPU.isWebAssemblySupported) {
    if (choice === "webasm") {
      throw new BackendUnavailable("ENGINE_BACKEND=webasm: WebAssembly is switched off here");
    }
    return makeRunner("cpu", "");
  }
  return makeRunner("webasm", "");
}

/**
 * Whether it is worth loading Dawn (100 MB, and warnings on standard error where Vulkan is
 * missing): on Linux a GPU shows as one of these device files.
 */
function mayHaveGpu(): boolean {
  if (process.platform !== "linux") return true;
  return ["/dev/dri", "/dev/nvidia0", "/dev/nvidiactl", "/dev/dxg"].some((path) =>
    existsSync(path),
  );
}

/** Kept alive: Dawn crashes when an instance is collected. */
const instances: unknown[] = [];

/** Puts `navigator.gpu` where gpu.js looks for it; null when no suitable adapter answers. */
async function findGpu(softwareToo: boolean): Promise<string | null> {
  try {
    const { create, globals } = await import("webgpu");
    Object.assign(globalThis, globals);
    const gpu = create([]);
    instances.push(gpu);
    Object.defineProperty(globalThis.navigator, "gpu", { value: gpu, configurable: true });
    const adapter = await gpu.requestAdapter();
    if (adapter === null) return null;
    const { description, device, vendor, isFallbackAdapter } = adapter.info;
    const name = description || device || vendor;
    const software = isFallbackAdapter || /swiftshader|llvmpipe|lavapipe/i.test(name);
    return software && !softwareToo ? null : name;
  } catch {
    // The Dawn binary does not load here (other platform, missing loader): no GPU, then.
    return null;
  }
}

function makeRunner(backend: Backend, device: string): KernelRunner {
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
      const result = backend === "webgpu" ? heedingLoss(shortcut, call) : call();
      if (!checked) {
        checkMode(shortcut, kernel, backend);
        checked = true;
      }
      return result;
    };
    const release = () => {
      shortcut.destroy();
      // gpu.js's cpu kernels stay in this list, and with them all they are bound to.
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

/** Calls a kernel of a GPU. Throws `DeviceLost` in place of what gpu.js throws when it is gone. */
async function heedingLoss(
  shortcut: IKernelRunShortcut,
  call: () => ReturnType<CompiledKernel>,
): Promise<Float32Array> {
  try {
    return await call();
  } catch (cause) {
    // gpu.js is told of the loss after what was under way has failed.
    await setImmediate();
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

// gpu.js types Input for number[] alone; it takes typed arrays as they are.
const asInput = (value: KernelArgument | Rows) => {
  if (typeof value === "number") return value;
  if (value instanceof Float32Array) return new Input(value as unknown as number[], [value.length]);
  const { values, length } = value;
  return new Input(values as unknown as number[], [length, values.length / length]);
};

const asInputs = (values: KernelConstants) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asInput(value)]));
