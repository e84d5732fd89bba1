/** The child of `measureInChild`: receives a task's options as a message and returns its cost. */
import type { Cost, PrepareTask } from "../tasks/task.ts";
import { forgetPeak, processFigures } from "./process-figures.ts";

/** Imported only in the child that runs them, because each loads its own libraries. */
const TASKS = {
  "render-to-file": async () => (await import("../tasks/render-to-file.ts")).prepare,
  "sharp-composite": async () => (await import("../tasks/sharp-composite.ts")).prepare,
};

export type TaskName = keyof typeof TASKS;

/** The options of a task. */
export type TaskOptions<Name extends TaskName> = Parameters<
  Awaited<ReturnType<(typeof TASKS)[Name]>>
>[0];

const prepare = (await TASKS[process.argv[2] as TaskName]()) as PrepareTask<unknown>;

process.once("message", async (options) => {
  const { run, close } = await prepare(options);
  gc?.();
  forgetPeak(process.pid);
  const idle = processFigures(process.pid).megabytes;
  const start = performance.now();
  await run();
  const ms = performance.now() - start;
  const cost: Cost = { ms, megabytes: processFigures(process.pid).peakMegabytes - idle };
  await close();
  process.send?.(cost, () => process.disconnect());
});
