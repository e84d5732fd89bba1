/** Parses a command's arguments with `node:util` and validates them by the command's schema. */
import { parseArgs } from "node:util";
import Type, { type Static, type TObject, type TSchema } from "typebox";
import { InvalidInput } from "../actions/errors.ts";
import { inputCheck } from "../actions/input.ts";

/** The command line is invalid; the message is one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}

export interface ArgumentReader<Schema extends TObject> {
  readonly schema: Schema;
  /** The values by name. Throws `UsageError`. */
  read(args: readonly string[]): Static<Schema>;
}

/** Returns an argument's name on the command line. */
export function argumentName(name: string): string {
  return name === "id" ? "ID" : `--${name}`;
}

/** Converts an invalid input into an error about the command line. */
export function asUsageError(error: InvalidInput): UsageError {
  const issues = error.issues.map(({ path, expected, received, message }) => {
    const name = argumentName(path.slice(1));
    return expected ? `${name}: expected ${expected}, got ${received}` : `${name}: ${message}`;
  });
  return new UsageError(issues.join("; "), { cause: error });
}

/** Whether an option has no value. */
export const isFlag = (schema: TSchema) => Type.IsLiteral(schema) && schema.const === true;

/** Converts a text to the schema's type; other text stays as it is, for validation to report. */
function convert(schema: TSchema | undefined, text: string | boolean): unknown {
  if (typeof text === "boolean") return text;
  if (schema && Type.IsInteger(schema) && /^-?\d+$/.test(text)) return Number(text);
  if (schema && Type.IsBoolean(schema) && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function split(schema: TObject, args: readonly string[]): Record<string, string | boolean> {
  const options = Object.entries(schema.properties).filter(([name]) => name !== "id");
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(
        options.map(([name, option]) => [name, { type: isFlag(option) ? "boolean" : "string" }]),
      ),
      allowPositionals: "id" in schema.properties,
    });
    const [id, extra] = positionals;
    if (extra !== undefined) throw new UsageError(`expected one ID, got ${extra} too`);
    // No option may be repeated.
    return { ...values, ...(id === undefined ? {} : { id }) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // Node appends advice about dashes.
    const [said = ""] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(said, { cause: error });
  }
}

/** Creates a reader of the arguments in `schema`. */
export function argumentReader<Schema extends TObject>(schema: Schema): ArgumentReader<Schema> {
  const check = inputCheck(schema, { fillDefaults: false });
  return {
    schema,
    read(args) {
      const texts = Object.entries(split(schema, args));
      try {
        return check(
          Object.fromEntries(
            texts.map(([name, text]) => [name, convert(schema.properties[name], text)]),
          ),
        );
      } catch (error) {
        throw error instanceof InvalidInput ? asUsageError(error) : error;
      }
    },
  };
}
