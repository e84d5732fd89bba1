/**
 * Validates input against TypeBox schemas and describes the issues. Numbers must be finite and
 * properties known; nothing is coerced.
 */
import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { validationIssuesOf } from "../../engine/index.ts";
import { InvalidUrl, parseHttpUrl } from "../outbound/index.ts";
import { InvalidInput } from "./errors.ts";

export interface InputOptions {
  /** Whether omitted fields take the schema's defaults. They stay omitted in updates. */
  readonly fillDefaults: boolean;
  /** Name of a field in messages: `query field`. Default: `field`. */
  readonly noun?: string;
}

export type InputCheck<Schema extends TSchema> = (value: unknown) => Static<Schema>;

/**
 * Compiles a schema to a function that returns the value with its defaults filled in, or throws
 * InvalidInput with one issue for each place. It may modify the value.
 */
export function inputCheck<Schema extends TSchema>(
  schema: Schema,
  { fillDefaults, noun }: InputOptions,
): InputCheck<Schema> {
  const validator = Compile(schema);
  return (value) => {
    const filled = fillDefaults ? validator.Default(value) : value;
    if (validator.Check(filled)) return filled;
    throw new InvalidInput(validationIssuesOf(schema, filled, validator.Errors(filled), noun));
  };
}

/**
 * Returns the URL in a body's `url`. Throws InvalidInput at `/url` if it is not an http:// or
 * https:// URL, has credentials, or is refused by `check` with InvalidUrl.
 */
export function readUrl(text: string, check?: (url: URL) => void): URL {
  try {
    const url = parseHttpUrl(text);
    check?.(url);
    return url;
  } catch (error) {
    if (!(error instanceof InvalidUrl)) throw error;
    const { expected, received, message } = error;
    throw new InvalidInput([{ path: "/url", message, expected, received }], { cause: error });
  }
}
