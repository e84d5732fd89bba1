/** A GPU simulated in software, if installed: Chromium's SwiftShader. */
import { existsSync } from "node:fs";
import type { Test } from "tap";

const DRIVER = "/usr/lib/chromium/vk_swiftshader_icd.json";
const LOADERS = [
  "/usr/lib/x86_64-linux-gnu/libvulkan.so.1",
  "/usr/lib/aarch64-linux-gnu/libvulkan.so.1",
];

/** The reason why it is missing, or null. */
export function missingSoftwareGpu(): string | null {
  if (!existsSync(DRIVER)) return `no SwiftShader: ${DRIVER} is missing (package chromium)`;
  if (!LOADERS.some((loader) => existsSync(loader))) {
    return "no Vulkan loader: libvulkan.so.1 is missing (package libvulkan1)";
  }
  return null;
}

/** Makes Vulkan use it for the rest of a test. */
export const useSoftwareGpu = (t: Test) => setDriver(t, DRIVER);

/** Makes Vulkan find no driver for the rest of a test. */
export const hideGpu = (t: Test) => setDriver(t, "/no-driver-here.json");

function setDriver(t: Test, path: string): void {
  const before = process.env.VK_DRIVER_FILES;
  process.env.VK_DRIVER_FILES = path;
  t.teardown(() => {
    if (before === undefined) delete process.env.VK_DRIVER_FILES;
    else process.env.VK_DRIVER_FILES = before;
  });
}
