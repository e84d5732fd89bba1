/** Processor time and memory of other processes, from Linux's /proc. */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { Unavailable } from "./case.ts";

export interface ProcessFigures {
  /** Seconds of processor time of a process and its descendants so far. */
  readonly cpuSeconds: number;
  /** MB (10⁶ bytes) of resident memory, without descendants; the peak is since the last reset. */
  readonly megabytes: number;
  readonly peakMegabytes: number;
}

/** Linux reports processor time in hundredths of a second, whatever its own clock. */
const TICKS_PER_SECOND = 100;

/** Throws `Unavailable` without /proc, and the system's error for a process that has ended. */
export function processFigures(pid: number): ProcessFigures {
  if (process.platform !== "linux") {
    throw new Unavailable("what the server uses is read from /proc, which only Linux has");
  }
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    cpuSeconds: ticksOfFamily(pid) / TICKS_PER_SECOND,
    megabytes: statusMegabytes(status, "VmRSS"),
    peakMegabytes: statusMegabytes(status, "VmHWM"),
  };
}

/**
 * Returns the MB (10⁶ bytes) of memory of a process and of those descendants that run the same
 * program: a server with its own child processes, without its database.
 */
export function familyMegabytes(pid: number): number {
  const program = readlinkSync(`/proc/${pid}/exe`);
  const megabytesOf = (member: number) => {
    try {
      if (readlinkSync(`/proc/${member}/exe`) !== program) return 0;
      return statusMegabytes(readFileSync(`/proc/${member}/status`, "utf8"), "VmRSS");
    } catch {
      // It has ended meanwhile.
      return 0;
    }
  };
  return familyOf(pid).reduce((sum, member) => sum + megabytesOf(member.pid), 0);
}

/** Returns the process among a process and its descendants whose command line has a word. Throws if none has. */
export function findDescendant(root: number, word: string): number {
  const hasWord = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  };
  const found = familyOf(root).find(({ pid }) => hasWord(pid));
  if (found === undefined) throw new Error(`no process of ${root} runs ${word}`);
  return found.pid;
}

/** Returns the ids of a process and its descendants. */
export const familyPids = (root: number) => familyOf(root).map(({ pid }) => pid);

/** Resets a process's peak memory (proc_pid_clear_refs(5)). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Parses a line of /proc/PID/status such as `VmRSS: 1234 kB`, in MB. */
function statusMegabytes(status: string, name: string): number {
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}

/** The database's processes are descendants of the server. */
const ticksOfFamily = (root: number): number =>
  familyOf(root).reduce((sum, { ticks }) => sum + ticks, 0);

/** Returns a process and its descendants. */
function familyOf(root: number) {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const rows = all.flatMap((pid) => {
    const row = statOf(pid);
    return row === null ? [] : [row];
  });
  const family = new Set([root]);
  for (let before = 0; before < family.size; ) {
    before = family.size;
    for (const { pid, parent } of rows) if (family.has(parent)) family.add(pid);
  }
  return rows.filter(({ pid }) => family.has(pid));
}

/** proc_pid_stat(5): the name may contain spaces, so fields are counted after its bracket. */
function statOf(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // Fields 14 to 17: its own time and that of children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid: Number(pid), parent: Number(fields[1]), ticks };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}
