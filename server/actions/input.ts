/**
 * Validates input against TypeBox schemas and describes the issues. Numbers must be finite and
 * properties known; nothing is coerced.
 */
import Type, { type Static, type TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { type ValidationIssue, validationIssuesOf } from "../../engine/index.ts";
import { InvalidUrl, parseHttpUrl } from "../outbound/index.ts";
import { InvalidInput, issueAt } from "./errors.ts";

export interface InputOptions {
  /** Whether omitted fields take the schema's defaults. They stay omitted in updates. */
  readonly fillDefaults: boolean;
  /** Name of a field in messages: `query field`. Default: `field`. */
  readonly noun?: string;
}

export type InputCheck<Schema extends TSchema> = (value: unknown) => Static<Schema>;

/**
 * Returns a check that fills in a value's defaults and returns it, or throws InvalidInput with one issue for
 * each place. It may modify the value. The schema is compiled with the first value, so that a start does not wait
 * for all of them.
 */
export function inputCheck<Schema extends TSchema>(
  schema: Schema,
  { fillDefaults, noun }: InputOptions,
): InputCheck<Schema> {
  const compile = () => Compile(schema);
  let validator: ReturnType<typeof compile> | undefined;
  const limits = listLimits(schema);
  return (value) => {
    validator ??= compile();
    const tooLong = shortenLists(value, limits);
    const filled = fillDefaults ? validator.Default(value) : value;
    if (validator.Check(filled)) return filled;
    const issues = validationIssuesOf(schema, filled, validator.Errors(filled), noun);
    throw new InvalidInput(
      issues.map((issue) => tooLong.find(({ path }) => path === issue.path) ?? issue),
    );
  };
}

interface ListLimit {
  readonly name: string;
  readonly items: number;
}

/** Returns the fields of an object that are lists, and the most items of each. */
const listLimits = (schema: TSchema): ListLimit[] =>
  Object.entries(Type.IsObject(schema) ? schema.properties : {}).flatMap(
    ([name, { maxItems }]: [string, { maxItems?: number }]) =>
      maxItems === undefined ? [] : [{ name, items: maxItems }],
  );

/**
 * Shortens lists that are too long to one item too many, because to check all items would take its
 * time. Returns what is wrong with them.
 */
function shortenLists(value: unknown, limits: readonly ListLimit[]): ValidationIssue[] {
  if (limits.length === 0 || typeof value !== "object" || value === null) return [];
  const fields = new Map<string, unknown>(Object.entries(value));
  return limits.flatMap(({ name, items }) => {
    const list = fields.get(name);
    if (!Array.isArray(list) || list.length <= items) return [];
    const issue = issueAt(`/${name}`, list, `at most ${items} items`, "is too long");
    list.splice(items + 1);
    return [issue];
  });
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
