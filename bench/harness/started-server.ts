/** A server in its own process, with an embedded database in a temporary folder. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface StartedServer {
  /** Its address, e.g. `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  /** Its backend, threads and database, as it logs them. */
  readonly description: string;
  /** The last lines of its log. */
  lastWords(): string;
  /** Runs the command line on its database and returns the output of `--json`. */
  cli(...args: string[]): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** All load comes from one account of the largest plan, with as many keys as its requests need. */
const QUOTAS = { agency: { api_keys: 1000, renders_in_flight: 100_000 } };

const CLI = fileURLToPath(new URL("../../server/cli.ts", import.meta.url));
/** As `npm start` names it. */
const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));

/** Enough for a stack. */
const LOG_LINES = 20;

/** The variables of `npm start`. */
export const MEMORY_VARIABLES = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "4194304",
  MALLOC_TRIM_THRESHOLD_: "16777216",
  GLIBC_TUNABLES: "glibc.malloc.hugetlb=1",
  NODE_OPTIONS: "--max-semi-space-size=4",
};

/** Returns the environment of peers that are processes of their own: this one's, without the variables of `npm start`. */
export const peerEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...Object.fromEntries(Object.keys(MEMORY_VARIABLES).map((name) => [name, undefined])),
});

export interface ServerSettings {
  /** Environment variables in addition to the address and the data folder. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node itself, such as `--import`. */
  readonly nodeOptions?: readonly string[];
  /** That of another server, whose database it uses. Default: a new one. */
  readonly dataDir?: string;
}

/** Starts it on a free port. Throws with its log if it does not start. */
export async function startServer({
  env: extra = {},
  nodeOptions = [],
  dataDir: shared,
}: ServerSettings = {}): Promise<StartedServer> {
  const dataDir = shared ?? (await mkdtemp(join(tmpdir(), "orbifold-bench-")));
  const address = { HOST: "127.0.0.1", PORT: "0", DATA_DIR: dataDir };
  const env = {
    ...MEMORY_VARIABLES,
    NODE_COMPILE_CACHE: COMPILED,
    ...process.env,
    QUOTAS: JSON.stringify(QUOTAS),
    ...extra,
    ...address,
  };
  const server = spawn(process.execPath, [...nodeOptions, CLI, "serve"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stop = async () => {
    if (server.exitCode === null) {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
    if (!shared) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const log: string[] = [];
    const line = await untilItListens(server.stderr, log);
    return {
      pid: server.pid ?? 0,
      dataDir,
      url: /http:\/\/\S+/.exec(line)?.[0] ?? "",
      // Without the address and folder of this run.
      description: (/orbifold .*\)/.exec(line)?.[0] ?? "")
        .replace(/ listens at \S+/, "")
        .replace(/ in [^)]*/, ""),
      lastWords: () => log.join("\n"),
      async cli(...args) {
        const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args, "--json"], {
          env,
        });
        return JSON.parse(stdout);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves with the line with its address; continues to read, so that the pipe never fills. */
function untilItListens(stderr: Readable, log: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stderr });
    lines.on("line", (line) => {
      log.push(line);
      if (log.length > LOG_LINES) log.shift();
      if (line.includes(" listens at ")) resolve(line);
    });
    lines.on("close", () => reject(new Error(`the server did not start:\n${log.join("\n")}`)));
  });
}
