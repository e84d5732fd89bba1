/** The real server as a process of its own, with an embedded database in a folder of its own. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface StartedServer {
  /** Where it listens, e.g. `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly pid: number;
  /** What it says of itself: backend, threads, database. */
  readonly description: string;
  /** The last lines of its log. */
  lastWords(): string;
  /** Runs the command line beside it and gives what it prints with `--json`. */
  cli(...args: string[]): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** All load comes from one account of the largest plan, by as many keys as its requests need. */
const QUOTAS = { agency: { api_keys: 1000, renders_in_flight: 100_000 } };

const CLI = fileURLToPath(new URL("../../server/cli.ts", import.meta.url));

/** Enough for a stack. */
const LOG_LINES = 20;

/** As `npm start` has it. */
const MALLOC = { MALLOC_ARENA_MAX: "4", MALLOC_MMAP_THRESHOLD_: "4194304" };

export interface ServerSettings {
  /** Environment variables beside the address and the data folder. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node's own, such as `--import`. */
  readonly nodeOptions?: readonly string[];
}

/** Starts it on any free port. Throws with what it said when it does not come up. */
export async function startServer({
  env: extra = {},
  nodeOptions = [],
}: ServerSettings = {}): Promise<StartedServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "orbifold-bench-"));
  const address = { HOST: "127.0.0.1", PORT: "0", DATA_DIR: dataDir };
  const env = { ...MALLOC, ...process.env, QUOTAS: JSON.stringify(QUOTAS), ...extra, ...address };
  const server = spawn(process.execPath, [...nodeOptions, CLI, "serve"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stop = async () => {
    if (server.exitCode === null) {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const log: string[] = [];
    const line = await untilItListens(server, log);
    return {
      pid: server.pid ?? 0,
      url: /http:\/\/\S+/.exec(line)?.[0] ?? "",
      // What it runs on, without the address and folder of this one run.
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

/** The line with its address. It goes on being read, so that the server never waits for us. */
function untilItListens(server: ChildProcess, log: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: server.stderr as NodeJS.ReadableStream });
    lines.on("line", (line) => {
      log.push(line);
      if (log.length > LOG_LINES) log.shift();
      if (line.includes(" listens at ")) resolve(line);
    });
    lines.on("close", () => reject(new Error(`the server did not start:\n${log.join("\n")}`)));
  });
}
