/** Resolutions in pixels per inch that make the failing worker fail. */
export const FAULTS = {
  diesOnce: 101,
  dies: 102,
  hangs: 103,
  losesGpu: 104,
  losesEachGpu: 105,
} as const;
