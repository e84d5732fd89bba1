/** The command line, in this process or in one of its own. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import type { Test } from "tap";
import { runCommandLine } from "../../server/command-line.ts";
import { temporaryFolder, testDatabaseUrl } from "./database.ts";

export const CLI = join(import.meta.dirname, "../../server/cli.ts");

/** Whether the program `script` is installed, which runs others on a terminal of their own. */
export const hasScript = await promisify(execFile)("script", ["--version"]).then(
  () => true,
  () => false,
);

/** The command line that runs `orbifold` with some arguments on a terminal of its own, by `script`. */
export const onTerminal = (args: string): readonly [string, ...string[]] => [
  "script",
  "-qefc",
  `exec '${process.execPath}' '${CLI}' ${args}`,
  "/dev/null",
];

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Record<string, string>;

/** What a command has of this process's environment. */
export function inherited() {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

/** Runs a command in a process of its own. */
export function orbifoldIn(
  cwd: string,
  env: Environment,
  ...args: readonly string[]
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...inherited(), ...env } };
    const child = execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
    child.stdin?.on("error", () => undefined).end();
  });
}

/** Runs a command in this process; `input` is its standard input. */
export async function orbifoldWith(
  input: string,
  env: Environment,
  ...args: readonly string[]
): Promise<Ended> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const printed = Promise.all([text(stdout), text(stderr)]);
  const stdin = Readable.from([input]);
  const code = await runCommandLine(args, { env, stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  const [output, errors] = await printed;
  return { code, stdout: output, stderr: errors };
}

/** Runs a command in this process, without input. */
export const orbifold = (env: Environment, ...args: readonly string[]) =>
  orbifoldWith("", env, ...args);

/** An environment with a new database. */
export async function prepare(t: Test): Promise<Environment> {
  return { DATABASE_URL: await testDatabaseUrl(), DATA_DIR: await temporaryFolder(t) };
}

/** The output of a command with `--json`; the command has to succeed. */
export async function answer(t: Test, env: Environment, ...args: readonly string[]) {
  const { code, stdout, stderr } = await orbifold(env, ...args, "--json");
  t.equal(code, 0, `${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}
