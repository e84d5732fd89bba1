/**
 * Checks what a caller sent against a TypeBox schema and says in words what is wrong with it.
 * Numbers must be finite and properties known; nothing is converted.
 */
import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { validationIssuesOf } from "../../engine/index.ts";
import { BadTarget, readTarget } from "../outbound/index.ts";
import { InvalidInput } from "./errors.ts";

export interface InputOptions {
  /** Whether what is left out takes the schema's default. A change leaves it out instead. */
  readonly fillDefaults: boolean;
  /** What messages call a field: `query field`. Left out: `field`. */
  readonly noun?: string;
}

export type InputCheck<Schema extends TSchema> = (value: unknown) => Static<Schema>;

/**
 * Compiles a schema to a function that gives the value with its defaults filled in, or throws
 * InvalidInput with one issue for each place that is wrong. The value itself may be changed.
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
 * Returns the URL in a body's `url`. Throws InvalidInput at `/url` for what is no http:// or https://
 * URL, for one with a password, and for one that `check` refuses with BadTarget.
 */
export function readUrl(text: string, check?: (url: URL) => void): URL {
  try {
    const url = readTarget(text);
    check?.(url);
    return url;
  } catch (error) {
    if (!(error instanceof BadTarget)) throw error;
    const { expected, received, message } = error;
    throw new InvalidInput([{ path: "/url", message, expected, received }], { cause: error });
  }
}
