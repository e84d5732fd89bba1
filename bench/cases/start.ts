/** Case 17: from `npm start` on an installation that has been started before to its first answer. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../db/embedded/postmaster.ts";
import type { BenchCase, PreparedCase } from "../harness/case.ts";
import { findDescendant, processFigures } from "../harness/process-figures.ts";
import { timed } from "../harness/timed.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Between two attempts to get an answer. */
const PAUSE_MS = 5;

/** Milliseconds after which it counts as failed. */
const LATE_MS = 60_000;

export const start: BenchCase = {
  name: "start",
  number: 17,
  title:
    "`npm start` on an installation with an embedded database that was started before, to the first answer",
  scope: "service",
  fairness:
    "npm's own time counts. The first start, which creates the database, is not timed. Memory is resident, of the server's process alone, as soon as it answers.",
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "cpu", unit: "s of processor time", better: "lower" },
    { name: "memory", unit: "MB", better: "lower" },
  ],
  targets: [{ metric: "ms", must: 1500, aim: 1000 }],
  prepare,
};

async function prepare(): Promise<PreparedCase> {
  // Throws where memory cannot be read.
  processFigures(process.pid);
  const dataDir = await mkdtemp(join(tmpdir(), "orbifold-bench-"));
  const close = () => rm(dataDir, { recursive: true, force: true });
  const run = () => startOnce(dataDir);
  await run().catch(async (error) => {
    await close();
    throw error;
  });
  return {
    contenders: [{ name: "orbifold", ours: true, run }],
    notes: [],
    versions: {},
    // A start that gives no answer fails.
    check: async () => undefined,
    close,
  };
}

/** Starts a server, measures it and stops it. Throws if it does not answer. */
async function startOnce(dataDir: string) {
  const port = await freePort();
  const address = { HOST: "127.0.0.1", PORT: String(port), DATA_DIR: dataDir };
  const npm = spawn("npm", ["start"], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: undefined, ...address },
    stdio: "ignore",
  });
  const ended = once(npm, "exit");
  const endedEarly = ended.then(([code]) => {
    throw new Error(`npm start ended with ${code}`);
  });
  endedEarly.catch(() => undefined);
  let server = npm.pid;
  try {
    const answered = () => firstAnswer(`http://127.0.0.1:${port}/healthz`);
    const ms = await timed(() => Promise.race([answered(), endedEarly]));
    server = findDescendant(npm.pid ?? 0, "server/cli.ts");
    const { cpuSeconds, megabytes } = processFigures(server);
    return { ms, cpu: cpuSeconds, memory: megabytes };
  } finally {
    if (server !== undefined && npm.exitCode === null) process.kill(server, "SIGINT");
    await ended.catch(() => undefined);
  }
}

async function firstAnswer(url: string): Promise<void> {
  for (const late = performance.now() + LATE_MS; performance.now() < late; ) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await delay(PAUSE_MS);
  }
  throw new Error(`no answer after ${LATE_MS / 1000} s`);
}
