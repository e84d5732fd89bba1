/** Tasks in their own process, to measure their memory. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Cost } from "../tasks/task.ts";
import type { TaskName, TaskOptions } from "./measured-task.ts";
import { MEMORY_VARIABLES } from "./started-server.ts";

const CHILD = fileURLToPath(new URL("measured-task.ts", import.meta.url));

/**
 * Prepares a task in a new process with the memory settings of `npm start`, runs it once, and returns
 * its cost. Throws if the process fails; its messages go to standard error.
 */
export async function measureInChild<Name extends TaskName>(
  task: Name,
  options: TaskOptions<Name>,
): Promise<Cost> {
  const child = fork(CHILD, [task], {
    execArgv: ["--expose-gc"],
    env: { ...process.env, ...MEMORY_VARIABLES },
  });
  child.send(options);
  const [answer] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof answer !== "object" || answer === null) throw new Error(`${task} failed`);
  if (child.exitCode === null) await once(child, "exit");
  return answer;
}
