/** Processes as Linux shows them in /proc. */
import { readdirSync, readFileSync } from "node:fs";

export interface ChildProcessFacts {
  readonly id: number;
  /** Processor time so far, in hundredths of a second. */
  readonly ticks: number;
}

/** Returns the running descendants of a process. */
export function descendantsOf(ancestor: number): ChildProcessFacts[] {
  return childrenOf(ancestor).flatMap((child) => [child, ...descendantsOf(child.id)]);
}

/** Returns the running children of a process. */
export function childrenOf(parent: number): ChildProcessFacts[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // proc(5): "id (name) state parent …", where the name may contain anything.
        const text = readFileSync(`/proc/${name}/stat`, "latin1");
        const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
        const isChild = fields[0] !== "Z" && Number(fields[1]) === parent;
        return isChild
          ? [{ id: Number(name), ticks: Number(fields[11]) + Number(fields[12]) }]
          : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

/** Sends a signal to processes, those that have not ended meanwhile. */
export function signalAll(
  processes: readonly Pick<ChildProcessFacts, "id">[],
  signal: NodeJS.Signals,
): void {
  for (const { id } of processes) {
    try {
      process.kill(id, signal);
    } catch {
      // It has ended.
    }
  }
}
