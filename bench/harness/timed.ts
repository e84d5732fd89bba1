/** Returns the milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Returns the milliseconds that the last of some runs of `work` takes: seconds of other contenders drive its code and memory
 * out of the caches.
 */
export async function lastTimed(runs: number, work: () => unknown): Promise<number> {
  let ms = 0;
  for (let run = 0; run < runs; run++) ms = await timed(work);
  return ms;
}
