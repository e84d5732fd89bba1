/** The service as a separate process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Test } from "tap";
import { temporaryFolder, testDatabaseUrl } from "./database.ts";
import { MOCKUP_MAPS } from "./engine.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLI = fileURLToPath(new URL("../../server/cli.ts", import.meta.url));

export interface Service {
  readonly process: ChildProcess;
  /** Its stderr so far. */
  readonly lines: readonly string[];
  /** Resolves with the first matching line, past or future. Rejects when the stream ends. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Its address, once it listens. */
  url(): Promise<string>;
  /** Its exit code; null if a signal killed it. */
  readonly ended: Promise<number | null>;
}

/** A data folder that goes with the test; it shares the mockup maps, which take long to make. */
export async function dataFolder(t: Test): Promise<string> {
  const folder = await temporaryFolder(t);
  await Promise.all(
    [join(folder, "cache"), MOCKUP_MAPS].map((path) => mkdir(path, { recursive: true })),
  );
  await symlink(MOCKUP_MAPS, join(folder, "cache", "mockup-maps"));
  return folder;
}

/** Starts a service that is killed with the test; without DATABASE_URL on a new database. */
export async function startService(
  t: Test,
  environment: Readonly<Record<string, string>> = {},
  [program, ...args]: readonly [string, ...string[]] = [process.execPath, CLI, "serve"],
): Promise<Service> {
  const service = spawn(program, args, {
    env: {
      ...process.env,
      DATABASE_URL: environment.DATABASE_URL ?? (await testDatabaseUrl()),
      DATA_DIR: environment.DATA_DIR ?? (await dataFolder(t)),
      PORT: "0",
      ENGINE_THREADS: "1",
      ENGINE_BACKEND: "webasm",
      SHUTDOWN_DELAY_MS: "0",
      SHUTDOWN_GRACE_MS: "120000",
      ...environment,
    },
    cwd: ROOT,
    stdio: ["ignore", "inherit", "pipe"],
  });
  const exited = once(service, "exit");
  // What is torn down next may be a folder that it writes to.
  t.teardown(async () => {
    service.kill("SIGKILL");
    await exited;
  });
  const lines: string[] = [];
  const reader = createInterface(service.stderr);
  reader.on("line", (line) => lines.push(line));
  const ended = once(service, "close").then(([code]) => code);
  const broken = ended.then((code) => {
    throw new Error(`the service ended with ${code}: ${lines.join("\n")}`);
  });
  broken.catch(() => undefined);
  const line: Service["line"] = async (pattern) => {
    for (;;) {
      for (const text of lines) {
        const found = pattern.exec(text);
        if (found) return found;
      }
      await Promise.race([once(reader, "line"), broken]);
    }
  };
  return {
    process: service,
    lines,
    line,
    url: async () => (await line(/listens at (\S+)/))[1],
    ended,
  };
}
