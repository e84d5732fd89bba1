/** What a GPU says of itself, as `GPUAdapterInfo` does. */
interface GpuInfo {
  readonly architecture: string;
  readonly description: string;
  readonly device: string;
  readonly vendor: string;
  readonly isFallbackAdapter: boolean;
}

/** Returns a GPU's name, and whether it is software, which is slower than `webasm`. */
export function nameOfGpu({
  architecture,
  description,
  device,
  vendor,
  isFallbackAdapter,
}: GpuInfo) {
  // Dawn's description is that of the driver.
  const name = device || description || vendor;
  const isSoftware = /swiftshader|llvmpipe|lavapipe/i.test(`${name} ${architecture}`);
  return { name, isSoftware: isFallbackAdapter || isSoftware };
}
