/** What becomes of a render of so many pixels per inch in a worker that fails on purpose. */
export const FATES = {
  diesOnce: 101,
  dies: 102,
  hangs: 103,
  losesGpu: 104,
  losesEachGpu: 105,
} as const;
