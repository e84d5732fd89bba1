/** Opens what kernels run on in this browser. */
import { createRunner, type KernelRunner, nameOfGpu } from "../../engine/core.ts";

/** Resolves with a `webgpu` runner if the browser has a hardware GPU, otherwise with a `webasm` one. */
export async function openRunner(): Promise<KernelRunner> {
  const gpu = await findGpu().catch(() => null);
  return gpu === null ? createRunner("webasm", "") : createRunner("webgpu", gpu);
}

/** Resolves with the name of the GPU, or null. Few browsers have `navigator.gpu` on pages without TLS. */
async function findGpu(): Promise<string | null> {
  const { gpu } = navigator as { readonly gpu?: GPU };
  const adapter = await gpu?.requestAdapter();
  if (!adapter) return null;
  const { name, isSoftware } = nameOfGpu(adapter.info);
  return isSoftware ? null : name;
}
