/**
 * A worker that crashes or hangs in some jobs: once each, or each time. Each thread leaves a mark.
 */
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "../../engine/pool/job.ts";
import work from "../../engine/pool/worker.ts";
import { FATES } from "./fates.ts";

const folder = process.env.FAILING_WORKER_FOLDER ?? "";
appendFileSync(join(folder, "threads"), "x");

export default async function doomed(task: Task) {
  const { job } = task;
  if (job.kind === "render" || job.kind === "strip") {
    const { dpi } = job.request.render;
    const mark = join(folder, "died");
    const isFirst = !existsSync(mark);
    writeFileSync(mark, "");
    // In a thread this ends the thread.
    if (dpi === FATES.dies || (dpi === FATES.diesOnce && isFirst)) process.exit(1);
    if (dpi === FATES.hangs) for (;;);
  }
  return work(task);
}
