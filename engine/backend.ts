/**
 * Chooses where kernels run and opens it. A worker opens one backend when it starts and keeps it:
 * `webgpu` if a real adapter answers, otherwise `webasm`, otherwise `cpu`.
 */
import { existsSync } from "node:fs";
import { GPU } from "gpu.js";
import { BackendUnavailable } from "./errors.ts";
import { nameOfGpu } from "./gpu-name.ts";
import { type Backend, createRunner, type KernelRunner } from "./kernel-runner.ts";

export type BackendChoice = Backend | "auto";

/**
 * Opens the chosen backend, or with `auto` the best available one. Software GPUs, which are slower than
 * `webasm`, are used only if `webgpu` is requested by name. Throws `BackendUnavailable`.
 */
export async function openBackend(choice: BackendChoice): Promise<KernelRunner> {
  if (choice === "webgpu" || (choice === "auto" && mayHaveGpu())) {
    const device = await findGpu(choice === "webgpu");
    if (device !== null) return createRunner("webgpu", device);
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
    return createRunner("cpu", "");
  }
  return createRunner("webasm", "");
}

/**
 * Returns whether it is worth loading Dawn, which takes 100 MB and prints warnings if Vulkan is missing:
 * on Linux a GPU has one of these device files.
 */
function mayHaveGpu(): boolean {
  if (process.platform !== "linux") return true;
  return ["/dev/dri", "/dev/nvidia0", "/dev/nvidiactl", "/dev/dxg"].some((path) =>
    existsSync(path),
  );
}

/** Referenced forever: Dawn crashes when an instance is garbage-collected. */
const instances: unknown[] = [];

/** Sets `navigator.gpu` for gpu.js. Returns the name of the adapter, or null if none is suitable. */
async function findGpu(allowSoftware: boolean): Promise<string | null> {
  try {
    const { create, globals } = await import("webgpu");
    Object.assign(globalThis, globals);
    const gpu = create([]);
    instances.push(gpu);
    Object.defineProperty(globalThis.navigator, "gpu", { value: gpu, configurable: true });
    const adapter = await gpu.requestAdapter();
    if (adapter === null) return null;
    const { name, isSoftware } = nameOfGpu(adapter.info);
    return isSoftware && !allowSoftware ? null : name;
  } catch {
    // The Dawn binary does not load on this platform.
    return null;
  }
}
