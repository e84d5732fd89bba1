/** Reads a command's arguments: `node:util` splits them, the command's schema says what they must be. */
import { parseArgs } from "node:util";
import Type, { type Static, type TObject, type TSchema } from "typebox";
import { InvalidInput } from "../actions/errors.ts";
import { inputCheck } from "../actions/input.ts";

/** The command line was typed wrongly; the message is one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}

export interface ArgumentReader<Schema extends TObject> {
  readonly schema: Schema;
  /** The values by name. Throws `UsageError`. */
  read(args: readonly string[]): Static<Schema>;
}

/** How an argument is called where it is typed. */
export function argumentName(name: string): string {
  return name === "id" ? "ID" : `--${name}`;
}

/** An invalid input as a issue about the command line. */
export function asUsageError(error: InvalidInput): UsageError {
  const issues = error.issues.map(({ path, expected, received, message }) => {
    const name = argumentName(path.slice(1));
    return expected ? `${name}: expected ${expected}, got ${received}` : `${name}: ${message}`;
  });
  return new UsageError(issues.join("; "), { cause: error });
}

/** An option without a value: it is given or left out. */
export const isFlag = (schema: TSchema) => Type.IsLiteral(schema) && schema.const === true;

/** The text as the schema's kind of value; a text that is none stays one, and is complained about. */
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
    // None is declared as one that may be given several times.
    return { ...(values as Record<string, string | boolean>), ...(id === undefined ? {} : { id }) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // Node adds advice about dashes in further sentences.
    const [said = ""] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(said, { cause: error });
  }
}

/** A reader for the arguments that `schema` names. */
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
