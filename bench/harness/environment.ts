/** The machine and versions of a result. */
import { readFileSync } from "node:fs";
import { arch, cpus, loadavg, platform, release, totalmem } from "node:os";
import { git } from "./git.ts";

export interface Environment {
  /** ISO 8601, UTC. */
  readonly date: string;
  /** Short hash, or `worktree` with uncommitted changes. */
  readonly commit: string;
  readonly os: string;
  readonly cpu: string;
  /** Hardware threads. */
  readonly threads: number;
  /** Processes that wanted a core in the last minute; above 0 the machine runs other work. */
  readonly load: number;
  /** GiB. */
  readonly memory: number;
  readonly versions: Readonly<Record<string, string>>;
}

const PACKAGES = ["gpu.js", "sharp", "fast-png", "piscina", "koa", "slonik", "autocannon"];

/** Files that the benchmark writes do not count as changes. */
const WRITTEN = [
  "bench/results",
  "docs/performance.md",
  "docs/images/performance",
  "docs/images/reliability",
];

/** Reads the environment of this process. */
export function environment(now: Date): Environment {
  const processors = cpus();
  return {
    date: now.toISOString(),
    commit: commit(),
    os: `${platform()} ${release()} ${arch()}`,
    cpu: processors[0]?.model.trim() ?? "unknown",
    threads: processors.length,
    load: loadavg()[0],
    memory: Math.round(totalmem() / 2 ** 30),
    versions: {
      node: process.versions.node,
      ...Object.fromEntries(PACKAGES.map((name) => [name, packageVersion(name)])),
    },
  };
}

/** Describes the environment in a line. */
export function describeEnvironment({ cpu, threads, os, versions, load }: Environment): string {
  return `${cpu}, ${threads} threads, ${os}, Node ${versions.node}, load ${load.toFixed(1)}`;
}

function commit(): string {
  const others = WRITTEN.map((path) => `:(top,exclude)${path}`);
  try {
    return git("status", "--porcelain", "--", ":(top)", ...others) === ""
      ? git("rev-parse", "--short", "HEAD")
      : "worktree";
  } catch {
    // No git, or no commit yet.
    return "worktree";
  }
}

function packageVersion(name: string): string {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).version;
}
