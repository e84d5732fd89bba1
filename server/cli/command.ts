/** A command of the command line, with its arguments as a TypeBox schema. */
import Type, { type Static, type TObject, type TProperties } from "typebox";
import type { RenderServices } from "../actions/renders.ts";
import type { Services } from "../actions/services.ts";
import type { Tokens } from "../actions/tokens.ts";
import { type ArgumentReader, argumentReader } from "./arguments.ts";
import type { Prompter } from "./prompter.ts";

type Database = Services["db"];

/** A copy of the embedded database. */
export interface Backup {
  /** ISO 8601, UTC. What was committed before is in it. */
  readonly made: string;
  /** Number of files. */
  readonly files: number;
  readonly bytes: number;
}

/** Context of commands; everything is created on first use. */
export interface Context {
  database(): Promise<Database>;
  /** Copies the embedded database to a new folder. Throws `ConfigError` if the database is external. */
  backUp(folder: string): Promise<Backup>;
  /** Makes the embedded database from a backup. Throws `ConfigError` if the database is external. */
  restore(folder: string): Promise<Backup>;
  tokens(): Promise<Tokens>;
  /** Runs work that needs the engine, which is closed afterwards. */
  withServices<Result>(work: (services: RenderServices) => Promise<Result>): Promise<Result>;
  /** Prints a line beside the output. */
  print(line: string): void;
  /** Prompts at the terminal, or reads standard input. */
  readonly prompter: Prompter;
  /** URL of the running service on this machine, without a trailing slash. */
  readonly serviceUrl: string;
  /** Aborts with the first signal to stop. */
  readonly signal: AbortSignal;
  /** Runs the service until it is stopped. */
  serve(): Promise<void>;
  /** Serves MCP over standard input and output until they end. */
  serveStdio(): Promise<void>;
}

/** Output: aligned text, and a JSON document. */
export interface CommandOutput {
  readonly text: string;
  readonly json: unknown;
}

export interface Command {
  /** Name on the command line: `accounts create`. */
  readonly name: string;
  readonly summary: string;
  readonly arguments: ArgumentReader<TObject>;
  /** Whether it may create the embedded database; the others fail if there is none. */
  readonly createsDatabase: boolean;
  /** Null if there is nothing to print. */
  readonly run: (context: Context, args: readonly string[]) => Promise<CommandOutput | null>;
}

interface Definition<Options extends TProperties> {
  readonly name: string;
  readonly summary: string;
  /** Options by their names without dashes. `id` is positional. */
  readonly options: Options;
  /** Default: false. */
  readonly createsDatabase?: boolean;
  run(context: Context, values: Static<TObject<Options>>): Promise<CommandOutput | null>;
}

/** Defines a command; infers the type of its options. */
export function command<Options extends TProperties>(definition: Definition<Options>): Command {
  const { name, summary, options, createsDatabase = false, run } = definition;
  const reader = argumentReader(Type.Object(options, { additionalProperties: false }));
  return {
    name,
    summary,
    arguments: reader,
    createsDatabase,
    run: (context, args) => run(context, reader.read(args)),
  };
}
