/** A command of the command line: what it takes, as a TypeBox schema, and what it does. */
import Type, { type Static, type TObject, type TProperties } from "typebox";
import type { RenderServices } from "../actions/renders.ts";
import type { Services } from "../actions/services.ts";
import type { Tokens } from "../actions/tokens.ts";
import { type ArgumentReader, argumentReader } from "./arguments.ts";
import type { Operator } from "./operator.ts";

type Database = Services["db"];

/** What commands work with; each thing is made when it is first asked for. */
export interface Context {
  database(): Promise<Database>;
  tokens(): Promise<Tokens>;
  /** Runs work that needs the engine, too; all of it is closed afterwards. */
  withServices<Result>(work: (services: RenderServices) => Promise<Result>): Promise<Result>;
  /** Standard input and the terminal, if there is one. */
  readonly operator: Operator;
  /** Aborts with the first signal to stop. */
  readonly signal: AbortSignal;
  /** Runs the service until it is told to stop. */
  serve(): Promise<void>;
  /** Serves MCP over standard input and output until they end. */
  serveStdio(): Promise<void>;
}

/** What a command has to say: aligned text for people, one document for programs. */
export interface Outcome {
  readonly text: string;
  readonly json: unknown;
}

export interface Command {
  /** As it is typed: `accounts create`. */
  readonly words: string;
  readonly summary: string;
  readonly arguments: ArgumentReader<TObject>;
  /** Whether it creates the embedded database where there is none; the others refuse to. */
  readonly createsDatabase: boolean;
  /** Null when there is nothing left to say. */
  readonly run: (context: Context, args: readonly string[]) => Promise<Outcome | null>;
}

interface Definition<Options extends TProperties> {
  readonly words: string;
  readonly summary: string;
  /** Options by their names without the dashes. One called `id` is given without its name. */
  readonly options: Options;
  /** Left out: it does not. */
  readonly createsDatabase?: boolean;
  run(context: Context, values: Static<TObject<Options>>): Promise<Outcome | null>;
}

/** Lets `run` see its options with their own types. */
export function command<Options extends TProperties>(definition: Definition<Options>): Command {
  const { words, summary, options, createsDatabase = false, run } = definition;
  const reader = argumentReader(Type.Object(options, { additionalProperties: false }));
  return {
    words,
    summary,
    arguments: reader,
    createsDatabase,
    run: (context, args) => run(context, reader.read(args)),
  };
}
