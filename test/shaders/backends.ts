/** The backends that kernels are tested on. */

import { existsSync } from "node:fs";
import type { Test } from "tap";
import { openBackend } from "../../engine/backend.ts";
import { BackendUnavailable } from "../../engine/errors.ts";
import type { Backend, KernelRunner } from "../../engine/kernel-runner.ts";

/** Where Debian's chromium installs its software Vulkan: a GPU for machines without one. */
const SWIFTSHADER = "/usr/lib/chromium/vk_swiftshader_icd.json";

/** Opens a backend until the test ends; null, with a message, if it is unavailable. */
export async function backend(t: Test, name: Backend): Promise<KernelRunner | null> {
  if (name === "webgpu" && existsSync(SWIFTSHADER)) process.env.VK_DRIVER_FILES ??= SWIFTSHADER;
  try {
    const runner = await openBackend(name);
    t.teardown(() => runner.close());
    return runner;
  } catch (error) {
    if (!(error instanceof BackendUnavailable)) throw error;
    t.comment(`not compared with ${name}: ${error.message}`);
    return null;
  }
}

/** The reference and the other available backends. */
export async function backends(
  t: Test,
): Promise<{ readonly reference: KernelRunner; readonly others: readonly KernelRunner[] }> {
  const reference = await backend(t, "webasm");
  if (reference === null) throw new Error("webasm is the reference and has to be there");
  const others = [await backend(t, "cpu"), await backend(t, "webgpu")];
  return { reference, others: others.filter((runner) => runner !== null) };
}
