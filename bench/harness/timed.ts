/** Milliseconds that a piece of work takes on this process's clock. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
