/** Computing threads leave the processor to those that respond. */
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import t from "tap";
import { createEngine } from "../../engine/index.ts";
import { NICENESS } from "../../engine/lower-thread-priority.ts";

/** The number of threads of this process with a priority; proc_pid_stat(5), field 19. */
function threadsAt(priority: number): number {
  const stats = readdirSync("/proc/self/task").map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
  return stats.filter((one) => one === priority).length;
}

const skip = process.platform === "linux" ? false : "only Linux has priorities of threads";

t.test("only the engine's threads have a lower priority", { skip }, async (t) => {
  const own = getPriority();
  const before = threadsAt(NICENESS);
  const engine = await createEngine({ backend: "webasm", threads: 2, queueMax: 4 });
  t.teardown(() => engine.close(0));
  // Each thread has started once two jobs ran at the same time.
  await Promise.all([1, 2, 3, 4].map((seed) => engine.drawPreset("floral", seed, 256)));
  t.equal(threadsAt(NICENESS) - before, 2);
  t.equal(getPriority(), own);
});
