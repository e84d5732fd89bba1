/** Groups of processes with less than a processor each, so that one machine can stand for several (cgroups(7)). */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { familyPids } from "./process-figures.ts";

const ROOT = "/sys/fs/cgroup";
/** Of version 1, where each controller has its own tree. */
const ROOT_V1 = join(ROOT, "cpu");
const PERIOD_US = 100_000;

export interface ProcessorQuota {
  /** Limits a process and its descendants, those to come included. */
  limit(pid: number): void;
  /** Removes the limits; its processes must have ended. */
  remove(): void;
}

/**
 * Creates a group that may use so many processors, such as 0.3. Throws the system's error where this process may not
 * create one.
 */
export function createProcessorQuota(name: string, processors: number): ProcessorQuota {
  const isV1 = existsSync(ROOT_V1);
  const folder = join(isV1 ? ROOT_V1 : ROOT, `orbifold-${process.pid}-${name}`);
  const microseconds = Math.round(processors * PERIOD_US);
  mkdirSync(folder);
  if (isV1) writeFileSync(join(folder, "cpu.cfs_quota_us"), `${microseconds}`);
  else writeFileSync(join(folder, "cpu.max"), `${microseconds} ${PERIOD_US}`);
  return {
    limit(pid) {
      for (const one of familyPids(pid)) writeFileSync(join(folder, "cgroup.procs"), `${one}`);
    },
    remove: () => rmdirSync(folder),
  };
}
