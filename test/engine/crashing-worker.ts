/**
 * A worker that crashes or hangs in some jobs: once each, or each time; and whenever it helps another thread. Each
 * thread leaves a mark.
 */
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "../../engine/pool/job.ts";
import work from "../../engine/pool/worker.ts";
import { FAULTS } from "./fault-codes.ts";

const folder = process.env.FAILING_WORKER_FOLDER ?? "";
appendFileSync(join(folder, "threads"), "x");

export default async function doomed(task: Task) {
  const { job } = task;
  if (job.kind === "help") {
    // The item that it has taken is lost with it.
    Atomics.add(job.task.items.taken, 0, 1);
    process.exit(1);
  }
  if (job.kind === "render" || job.kind === "strip") {
    const { dpi } = "print" in job.request ? job.request.print : job.request.render;
    const mark = join(folder, "died");
    const isFirst = !existsSync(mark);
    writeFileSync(mark, "");
    // In a thread this ends the thread.
    if (dpi === FAULTS.dies || (dpi === FAULTS.diesOnce && isFirst)) process.exit(1);
    if (dpi === FAULTS.hangs) for (;;);
  }
  return work(task);
}
