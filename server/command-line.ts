/** The operator's command line. Results go to stdout, everything else to stderr. */
import { join } from "node:path";
import { backUp, type Database, type ObjectStorage, openDatabase, restore } from "../db/index.ts";
import packageJson from "../package.json" with { type: "json" };
import { InvalidInput } from "./actions/errors.ts";
import { failureOf } from "./actions/failures.ts";
import { createTokens, USER_SESSION_TOKENS } from "./actions/tokens.ts";
import { urlOf } from "./addresses.ts";
import { asUsageError, UsageError } from "./cli/arguments.ts";
import type { Context } from "./cli/command.ts";
import { findCommand } from "./cli/commands.ts";
import { commandHelp, overview } from "./cli/help.ts";
import { prompterAt, type Terminal } from "./cli/prompter.ts";
import { table } from "./cli/table.ts";
import { readConfig } from "./config.ts";
import { ConfigError } from "./config-parsers.ts";
import { prepareDataFolder } from "./data-folder.ts";
import type { ObjectStoreLocation } from "./object-store/location.ts";
import { openStore } from "./open-object-store.ts";
import { VARIABLES } from "./variables.ts";

/** What a command line has of its process: the environment and the standard streams. */
export interface CommandLineProcess extends Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: NodeJS.WritableStream;
}

const writeLine = (stream: NodeJS.WritableStream, line: string) => void stream.write(`${line}\n`);

/** https://man.freebsd.org/cgi/man.cgi?sysexits */
const EX_USAGE = 64;
const EX_CONFIG = 78;

const environment = () =>
  table(
    Object.entries(VARIABLES).map(([name, { about, fallback }]) => [
      name,
      fallback === null ? about : `${about} (${fallback})`,
    ]),
  );

/** Removes the flags that every command has from the arguments. */
function removeFlag(args: string[], ...names: readonly string[]): boolean {
  const places = args.flatMap((arg, place) => (names.includes(arg) ? [place] : []));
  for (const place of places.toReversed()) args.splice(place, 1);
  return places.length > 0;
}

/** Provides a command with what it needs and closes it afterwards. */
async function withContext<Result>(
  host: CommandLineProcess,
  signal: AbortSignal,
  mayCreate: boolean,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(host.env);
  let database: Promise<Database> | undefined;
  await using resources = new AsyncDisposableStack();
  const { dataDir, quotas, retention } = config;
  const url = config.databaseUrl === null ? {} : { url: config.databaseUrl };
  const log = (line: string) => writeLine(host.stderr, line);
  const embedded = () => {
    if (config.databaseUrl === null) return { dataDir, log };
    throw new ConfigError(
      "DATABASE_URL: this command is for the embedded database; copy an external PostgreSQL with its own tools, such as pg_dump, and run skip-ids after a restore",
    );
  };
  const openObjects = async (location: ObjectStoreLocation): Promise<ObjectStorage> => {
    const store = resources.use(await openStore(location));
    return { store, isReadOnly: location.isReadOnly, folder: join(dataDir, "cache", "objects") };
  };
  const opening = async () => {
    if (mayCreate && config.databaseUrl === null) await prepareDataFolder(dataDir);
    const objects = config.objectStore && (await openObjects(config.objectStore));
    return openDatabase({ ...url, dataDir, quotas, retention, objects, mayCreate, log });
  };
  try {
    const open = () => (database ??= opening());
    return await work({
      database: open,
      backUp: async (to) => backUp({ ...embedded(), to, signal }),
      restore: async (from) => restore({ ...embedded(), from, signal }),
      tokens: () =>
        createTokens(config.tokens, async () => (await open()).secrets.get(USER_SESSION_TOKENS)),
      withServices: async (work) => {
        const [{ createLog }, { withServices }] = await Promise.all([
          import("./log.ts"),
          import("./with-services.ts"),
        ]);
        return withServices(config, createLog(config.logLevel), { mayCreate }, work);
      },
      print: log,
      prompter: prompterAt(host),
      serviceUrl: urlOf(config.host, config.port),
      signal,
      serve: async () => (await import("./main.ts")).serve(config),
      serveStdio: async () => (await import("./stdio.ts")).serveStdio(config),
    });
  } finally {
    // One that could not be opened has been reported already.
    await database?.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }
}

function help(args: readonly string[]): string {
  const [first = ""] = args;
  try {
    return commandHelp(findCommand(args).command);
  } catch (error) {
    if (error instanceof UsageError) return overview(first, environment());
    throw error;
  }
}

/** Commands that handle signals themselves. */
const RUNS_UNTIL_STOPPED = ["serve", "mcp"];

async function run(args: string[], host: CommandLineProcess): Promise<void> {
  const print = (text: string) => writeLine(host.stdout, text);
  if (removeFlag(args, "--version")) return print(packageJson.version);
  if (removeFlag(args, "--help", "-h")) return print(help(args));
  const isJson = removeFlag(args, "--json");
  const { command, rest } = findCommand(args);
  const stop = new AbortController();
  const abort = () => stop.abort();
  // The first signal lets a command shut down cleanly, with the database that it started.
  const signals = RUNS_UNTIL_STOPPED.includes(command.name) ? [] : ["SIGINT", "SIGTERM"];
  for (const name of signals) process.once(name, abort);
  try {
    const outcome = await withContext(host, stop.signal, command.createsDatabase, (context) =>
      command.run(context, rest),
    );
    if (outcome) print(isJson ? JSON.stringify(outcome.json, null, 2) : outcome.text);
  } finally {
    for (const name of signals) process.off(name, abort);
  }
}

/** Exit codes of errors that only the operator meets, by their codes; other failures have theirs in `FAILURES`. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  usage: EX_USAGE,
  misconfigured: EX_CONFIG,
  schema_mismatch: 1,
  database_unavailable: 1,
  unhealthy: 1,
  backup_failed: 1,
  move_incomplete: 1,
};

/** Reports an error and returns the exit code. */
function report(
  thrown: Error & { readonly code?: unknown },
  stderr: NodeJS.WritableStream,
): number {
  // Closing may have failed, too; what failed first says more.
  const error = thrown instanceof SuppressedError ? thrown.suppressed : thrown;
  const shown = error instanceof InvalidInput ? asUsageError(error) : error;
  const { code, exitCode = 1 } = failureOf(shown);
  const operatorCode = EXIT_CODES[String(shown.code)];
  // System errors (a port in use, a full disk) need no stack trace.
  const isForeseen =
    operatorCode ?? (code !== "internal" || "syscall" in shown || shown.name === "AbortError");
  writeLine(stderr, `orbifold: ${isForeseen ? shown.message : shown.stack}`);
  const ending = operatorCode ?? exitCode;
  if (ending === EX_USAGE) {
    writeLine(stderr, "orbifold --help lists the commands and their options");
  }
  return ending;
}

/** Runs a command line and returns the exit code. */
export const runCommandLine = (
  args: readonly string[],
  host: CommandLineProcess,
): Promise<number> =>
  run([...args], host).then(
    () => 0,
    (error) => report(error, host.stderr),
  );
