/** Commands of `npm run bench`: their arguments, help and output. */
import { parseArgs } from "node:util";
import { align } from "./format-table.ts";

interface Flag {
  readonly type: "boolean";
  readonly about: string;
}

interface Setting {
  readonly type: "string";
  /** Stands for the value in the help, such as `N`. */
  readonly value: string;
  readonly default: string;
  readonly about: string;
}

type Options = Readonly<Record<string, Flag | Setting>>;

type Values<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Flag ? boolean : string;
};

interface Definition<O extends Options> {
  readonly name: string;
  /** As the usage shows them, such as `REF [CASE…]`; empty if the command takes none. */
  readonly operands: string;
  /** A line for the overview. */
  readonly summary: string;
  /** What the command's help says besides. */
  readonly details: string;
  readonly options: O;
  /** Throws a RangeError for invalid arguments. */
  run(operands: readonly string[], values: Values<O>): Promise<void>;
}

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** Parses the arguments and runs the command. Throws a RangeError for invalid arguments. */
  run(args: readonly string[]): Promise<void>;
  help(): string;
}

/** The option of all commands that return results. */
export const jsonOption = {
  type: "boolean",
  about: "write JSON to standard output; progress goes to standard error",
} as const;

export function defineCommand<const O extends Options>(definition: Definition<O>): Command {
  const { name, operands, summary, details, options } = definition;
  const usage = [name, operands].filter(Boolean).join(" ");
  return {
    name,
    usage,
    summary,
    async run(args) {
      const parsed = parse(definition, args);
      if (operands === "" && parsed.operands.length > 0) {
        throw new RangeError(`${name}: unexpected "${parsed.operands[0]}"`);
      }
      await definition.run(parsed.operands, parsed.values);
    },
    help() {
      const rows = Object.entries(options).map(([option, one]) => [
        one.type === "boolean" ? `--${option}` : `--${option} ${one.value}`,
        one.type === "string" && one.default !== ""
          ? `${one.about} (default: ${one.default})`
          : one.about,
      ]);
      return [
        `npm run bench -- ${usage}${rows.length === 0 ? "" : " [OPTIONS]"}`,
        `\n${summary}`,
        ...(details === "" ? [] : [`\n${details}`]),
        ...(rows.length === 0 ? [] : ["\nOptions:", ...textColumns(rows)]),
      ].join("\n");
    },
  };
}

function parse<O extends Options>({ name, options }: Definition<O>, args: readonly string[]) {
  try {
    const config = Object.entries(options).map(([option, one]) => [
      option,
      { type: one.type, default: one.type === "boolean" ? false : one.default },
    ]);
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(config),
    });
    return { operands: positionals, values: values as Values<O> };
  } catch (error) {
    const [why] = (error as Error).message.split(". ");
    const known = Object.keys(options).map((option) => `--${option}`);
    const list = known.length === 0 ? "it has no options" : `options: ${known.join(", ")}`;
    throw new RangeError(`${name}: ${why}; ${list}`, { cause: error });
  }
}

/** Help for all commands. */
export function overview(commands: readonly Command[]): string {
  return [
    "npm run bench [-- COMMAND] [ARGUMENTS]",
    "\nMeasures the product. Without a command it runs `measure`.",
    "\nCommands:",
    ...textColumns(commands.map(({ usage, summary }) => [usage, summary])),
    "\n`npm run bench -- COMMAND --help` describes one. A CASE is a number or a part of a name of `list`.",
    "docs/profiling.md leads from a slow request to its line, docs/performance.md has the figures.",
  ].join("\n");
}

/** Aligns columns of text to the left. */
export function textColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return align(rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]))));
}

/** Standard output of a command: text for people, or with `--json` a single JSON value. */
export interface Output {
  /** Prints unless JSON is wanted. */
  print(text: string): void;
  /** Prints the value if JSON is wanted. */
  json(value: unknown): void;
}

export function createOutput(json: boolean): Output {
  return {
    print: (text) => (json ? undefined : console.log(text)),
    json: (value) => (json ? console.log(JSON.stringify(value, null, 2)) : undefined),
  };
}
