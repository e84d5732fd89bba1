/**
 * Checks what a caller sent against a TypeBox schema and says in words what is wrong with it.
 * Numbers must be finite and properties known; nothing is converted.
 */
import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { validationIssuesOf } from "../../engine/index.ts";
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
    if (validator.Check(filled)) return filled as Static<Schema>;
    throw new InvalidInput(validationIssuesOf(schema, filled, validator.Errors(filled), noun));
  };
}
