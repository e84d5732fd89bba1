/** Work in a process of its own, so that its memory can be told from everybody else's. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Cost } from "../tasks/task.ts";
import type { TaskName, TaskOptions } from "./measured-task.ts";

const CHILD = fileURLToPath(new URL("measured-task.ts", import.meta.url));

/**
 * Prepares a task in a fresh process, runs it once, and gives what that cost. Throws when the process
 * fails; what it says goes to standard error.
 */
export async function measureInChild<Name extends TaskName>(
  task: Name,
  options: TaskOptions<Name>,
): Promise<Cost> {
  const child = fork(CHILD, [task], { execArgv: ["--expose-gc"] });
  child.send(options);
  const [answer] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof answer !== "object" || answer === null) throw new Error(`${task} failed`);
  if (child.exitCode === null) await once(child, "exit");
  return answer as Cost;
}
