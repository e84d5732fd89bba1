/** Reads a request's input and validates it against its route's schemas; reports all issues at once. */
import type { Context } from "koa";
import Type, { type TSchema } from "typebox";
import { InvalidInput, InvalidRecipe } from "../actions/errors.ts";
import { inputCheck } from "../actions/input.ts";
import { parseBoundedJson } from "../intake/index.ts";
import { isMalformedIfMatch } from "./conditions.ts";
import { type InputIssue, MalformedRequest, PathNotFound } from "./errors.ts";
import type { Route } from "./route.ts";

/** Validated input of a request; undefined where the route has no schema. */
export interface RequestInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
}

type Read = (ctx: Context) => unknown;

/**
 * Returns a function that checks the path, query, headers and body of a request. It throws InvalidInput
 * for a wrong query or body, with all other places that are wrong; MalformedRequest where only headers
 * are wrong, or headers and the path; PathNotFound where only the path's parameters are.
 */
export function requestInput(route: Route): (ctx: Context) => RequestInput {
  const { params, query, body, form } = route;
  // Fields that a change omits stay unchanged.
  const fillDefaults = route.method !== "PATCH";
  const check = (schema: TSchema | undefined, noun?: string) =>
    schema ? inputCheck(schema, { fillDefaults, ...(noun && { noun }) }) : () => undefined;
  const checkPath = params ? inputCheck(params, { fillDefaults: false }) : () => undefined;
  const checkQuery = check(query, "query field");
  const checkBody = check(body);
  const checkForm = check(form, "form field");
  const ofPath: Read = (ctx) =>
    params && checkPath(readParameters(params, Object.entries<string>(ctx.params)));
  const ofQuery: Read = (ctx) =>
    query && checkQuery(readParameters(query, new URLSearchParams(ctx.querystring)));
  const ofBody: Read = (ctx) => (ctx.state.isForm ? checkForm : checkBody)(ctx.state.body);

  return (ctx) => {
    const issues: InputIssue[] = [];
    const collect = (place: InputIssue["in"], read: Read) => {
      try {
        return read(ctx);
      } catch (error) {
        if (!(error instanceof InvalidInput || error instanceof InvalidRecipe)) throw error;
        issues.push(...error.issues.map((issue) => ({ in: place, ...issue })));
        return undefined;
      }
    };
    const input = {
      params: collect("path", ofPath),
      query: collect("query", ofQuery),
      body: collect("body", ofBody),
      idempotencyKey: route.isIdempotent ? (ctx.headers["idempotency-key"] ?? null) : null,
    };
    issues.push(...headerIssues(route, ctx));
    if (issues.length === 0) return input as RequestInput;
    const places = new Set(issues.map((issue) => issue.in));
    if (places.has("query") || places.has("body")) throw new InvalidInput(issues);
    if (places.has("header")) throw MalformedRequest.of(issues);
    throw new PathNotFound(ctx.path);
  };
}

function headerIssues({ isIdempotent, problems }: Route, { headers }: Context): InputIssue[] {
  const key = headers["idempotency-key"];
  const ifMatch = headers["if-match"];
  return [
    // https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
    ...(isIdempotent && key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(String(key))
      ? [headerIssue("Idempotency-Key", "1 to 255 visible ASCII characters, such as a UUID")]
      : []),
    ...(problems?.includes("precondition_failed") && isMalformedIfMatch(ifMatch)
      ? [headerIssue("If-Match", 'entity tags such as "12-3"')]
      : []),
  ];
}

/** Header values are not repeated: they may be secrets. */
function headerIssue(name: string, expected: string): InputIssue {
  return { in: "header", path: `/${name}`, message: `expected ${expected}`, expected };
}

/** Encoding of a query parameter. */
export type QueryForm = "text" | "integer" | "number" | "boolean" | "list" | "json";

/** Returns the encoding of a schema's values in a query. */
export function queryForm(schema: TSchema): QueryForm {
  if (Type.IsInteger(schema)) return "integer";
  if (Type.IsNumber(schema)) return "number";
  if (Type.IsBoolean(schema)) return "boolean";
  if (Type.IsObject(schema) && Object.values(schema.properties).every(Type.IsNumber)) return "list";
  return Type.IsObject(schema) || Type.IsArray(schema) ? "json" : "text";
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const readNumber = (text: string) => (NUMBER.test(text) ? Number(text) : text);

function readJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return text;
  }
}

function readValue(schema: TSchema, text: string): unknown {
  switch (queryForm(schema)) {
    case "integer":
      return /^-?\d+$/.test(text) ? Number(text) : text;
    case "number":
      return readNumber(text);
    case "boolean":
      return text === "true" || (text === "false" ? false : text);
    case "list": {
      const names = Object.keys((schema as Type.TObject).properties);
      const parts = text.split(",");
      if (parts.length !== names.length) return text;
      return Object.fromEntries(parts.map((part, index) => [names[index], readNumber(part)]));
    }
    case "json":
      return readJson(text);
    case "text":
      return text;
  }
}

/**
 * Returns parameters in the schema's types: numbers and booleans from text, an object of numbers as
 * `x,y`, other objects and arrays as JSON text. Other text stays as it is, for validation to report, and
 * a name that is repeated gets a list.
 */
function readParameters(
  schema: TSchema,
  parameters: Iterable<readonly [name: string, text: string]>,
): Record<string, unknown> {
  const properties: Record<string, TSchema> = Type.IsObject(schema) ? schema.properties : {};
  const texts = new Map<string, [string, ...string[]]>();
  for (const [name, text] of parameters) {
    const known = texts.get(name);
    if (known) known.push(text);
    else texts.set(name, [text]);
  }
  return Object.fromEntries(
    [...texts].map(([name, all]) => {
      const [text, ...others] = all;
      if (others.length > 0) return [name, all];
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, property ? readValue(property, text) : text];
    }),
  );
}
