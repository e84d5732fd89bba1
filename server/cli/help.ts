/** Output of `--help`. */
import Type from "typebox";
import { argumentName, isFlag } from "./arguments.ts";
import type { Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { table } from "./table.ts";

const indent = (text: string) => text.replaceAll(/^/gm, "  ");

const withValue = (name: string) => (name === "id" ? "ID" : `--${name} ${name.toUpperCase()}`);

function usage({ name, arguments: { schema } }: Command): string {
  const parts = Object.entries(schema.properties).map(([optionName, option]) => {
    const typed = isFlag(option) ? `--${optionName}` : withValue(optionName);
    return Type.IsOptional(option) ? `[${typed}]` : typed;
  });
  return ["orbifold", name, ...parts].join(" ");
}

/** Lists the commands that start with the given word, or all of them. */
export function overview(typed: string, environment: string): string {
  const matching = COMMANDS.filter(({ name }) => name.startsWith(`${typed} `));
  const shown = matching.length > 0 ? matching : COMMANDS;
  return `Usage: orbifold COMMAND [--json]

${indent(table(shown.map((command) => [usage(command).slice("orbifold ".length), command.summary])))}

  --json      print one JSON document
  --help      describe a command
  --version   print the version

Exit status: 0 success, 1 failure, 64 usage error, 78 invalid configuration

Environment:
${indent(environment)}`;
}

/** One command and its options. */
export function commandHelp(command: Command): string {
  const { properties } = command.arguments.schema;
  const options = Object.entries<{ readonly description?: string }>(properties);
  const rows = options.map(([name, { description = "" }]) => [argumentName(name), description]);
  return `Usage: ${usage(command)} [--json]

${command.summary}

${indent(table([...rows, ["--json", "print one JSON document"]]))}`;
}
