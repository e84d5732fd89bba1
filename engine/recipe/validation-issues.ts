/** Turns TypeBox's errors into messages for people. */
import { closestMatch } from "leven";
import Type, { type TSchema } from "typebox";
import type { TLocalizedValidationError } from "typebox/error";
import { Settings } from "typebox/system";
import { Value } from "typebox/value";
import type { ValidationIssue } from "../errors.ts";

// A single union of eight words would use up the default of 8 and hide other errors.
Settings.Set({ maxErrors: 100 });

/**
 * Returns one issue for each path at which a value does not match a schema.
 * @param errors TypeBox's errors
 * @param noun name of top-level fields in messages
 */
export function validationIssuesOf(
  schema: TSchema,
  value: unknown,
  errors: readonly ValidationError[],
  noun = "field",
): ValidationIssue[] {
  const issues = new Map<string, ValidationIssue>();
  const objects = errors.flatMap((error) => objectMeantBy(schema, value, error));
  for (const error of errors) {
    const object = objects.find(({ path }) => `${error.instancePath}/`.startsWith(`${path}/`));
    for (const issue of object?.issues ?? []) issues.set(issue.path, issue);
    if (object !== undefined) continue;
    for (const path of pathsOf(error)) {
      if (!issues.has(path)) issues.set(path, issueAt(schema, value, path, noun));
    }
  }
  return [...issues.values()];
}

/**
 * Returns what is wrong with an object where a schema allows one kind of object, or something else that
 * is none: the object is meant, and TypeBox's errors would be those of all that it could be.
 */
function objectMeantBy(
  schema: TSchema,
  value: unknown,
  { keyword, instancePath }: ValidationError,
) {
  if (keyword !== "anyOf") return [];
  const { expected, received } = placeOf(schema, value, instancePath);
  if (!isRecord(received) || Array.isArray(received) || !expected || !Type.IsUnion(expected)) {
    return [];
  }
  const [object, ...others] = expected.anyOf.filter(Type.IsObject);
  if (object === undefined || others.length > 0) return [];
  const completed = Value.Default(object, structuredClone(received));
  const errors = Value.Errors(object, completed);
  const issues = validationIssuesOf(object, completed, errors).map((issue) => ({
    ...issue,
    path: `${instancePath}${issue.path}`,
  }));
  return issues.length === 0 ? [] : [{ path: instancePath, issues }];
}

/** Returns the value at a path, and the schemas of it and of what it is a member of. */
function placeOf(schema: TSchema, value: unknown, path: string) {
  let expected: TSchema | undefined = schema;
  let parent: TSchema | undefined;
  let received: unknown = value;
  for (const name of path.split("/").slice(1).map(unescapePointer)) {
    parent = expected;
    expected = expected && memberOf(expected, name);
    received = isRecord(received) && Object.hasOwn(received, name) ? received[name] : undefined;
  }
  return { expected, parent, received };
}

type ValidationError = TLocalizedValidationError;

/** Returns an error's paths. TypeBox reports missing and unknown properties at their parent. */
function pathsOf(error: ValidationError): string[] {
  const { instancePath } = error;
  const at = (name: string) => `${instancePath}/${escapePointer(name)}`;
  if (error.keyword === "required") return error.params.requiredProperties.map(at);
  if (error.keyword === "additionalProperties") return error.params.additionalProperties.map(at);
  return [instancePath];
}

function issueAt(schema: TSchema, value: unknown, path: string, noun: string): ValidationIssue {
  const { expected, parent, received } = placeOf(schema, value, path);
  const got = describeValue(received);
  if (!expected) {
    const names = Object.keys(propertiesOf(parent));
    const isNested = path.lastIndexOf("/") > 0;
    const message = unknownField(path, names, isNested ? "field" : noun);
    return { path, message, expected: `one of the fields ${names.join(", ")}`, received: got };
  }
  const fit = describeSchema(expected);
  const fault = received === undefined ? "is missing" : "is wrong";
  return { path, message: `${fault}: expected ${fit}, got ${got}`, expected: fit, received: got };
}

/** Longer names are truncated in messages and get no suggestions. */
const NAME_LENGTH = 60;

function unknownField(path: string, names: readonly string[], noun: string): string {
  const name = unescapePointer(path.slice(path.lastIndexOf("/") + 1));
  const short = name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name;
  // A third of the letters may differ: enough for typos, including transpositions.
  const maxDistance = Math.ceil(name.length / 3);
  const meant = short === name ? closestMatch(name, names, { maxDistance }) : undefined;
  const hint = meant ? `did you mean '${meant}'?` : `expected one of ${names.join(", ")}`;
  return `unknown ${noun} '${JSON.stringify(short).slice(1, -1)}'; ${hint}`;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const escapePointer = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
const unescapePointer = (name: string) => name.replaceAll("~1", "/").replaceAll("~0", "~");

function propertiesOf(schema: TSchema | undefined): Record<string, TSchema> {
  if (schema && Type.IsObject(schema)) return schema.properties;
  if (schema && Type.IsUnion(schema)) {
    return Object.assign({}, ...schema.anyOf.map(propertiesOf));
  }
  return {};
}

function memberOf(schema: TSchema, name: string): TSchema | undefined {
  if (Type.IsArray(schema)) return schema.items;
  if (Type.IsUnion(schema)) {
    return schema.anyOf.map((choice) => memberOf(choice, name)).find((member) => member);
  }
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Describes a schema: `an integer from 16 to 8192`, `one of tile, surface`. */
function describeSchema(schema: TSchema): string {
  const limits: TSchema & SchemaLimits = schema;
  if (limits.title) return limits.title;
  if (Type.IsEnum(schema)) return `one of ${schema.enum.join(", ")}`;
  if (Type.IsUnion(schema)) {
    const { anyOf } = schema;
    if (anyOf.every(Type.IsLiteral)) return `one of ${anyOf.map((word) => word.const).join(", ")}`;
    return anyOf.map(describeSchema).join(" or ");
  }
  if (Type.IsLiteral(schema)) return JSON.stringify(schema.const);
  if (Type.IsInteger(schema)) return `an integer${describeRange(limits)}`;
  if (Type.IsNumber(schema)) return `a number${describeRange(limits)}`;
  if (Type.IsString(schema)) {
    return `a string${describeLength(limits.minLength, limits.maxLength, "character")}`;
  }
  if (Type.IsArray(schema)) {
    const length = describeLength(limits.minItems, limits.maxItems, "item");
    return `an array${length}${limits.uniqueItems ? ", none of them twice" : ""}`;
  }
  if (Type.IsBoolean(schema)) return "true or false";
  if (Type.IsNull(schema)) return "null";
  return Type.IsObject(schema) || Type.IsRecord(schema) ? "an object" : "a value";
}

interface SchemaLimits {
  readonly uniqueItems?: boolean;
  readonly title?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

function describeRange({ minimum, maximum }: SchemaLimits): string {
  if (minimum === undefined) return maximum === undefined ? "" : ` of at most ${maximum}`;
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}

function describeLength(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined) return least ? ` of at least ${least} ${unit}s` : "";
  return least ? ` of ${least} to ${most} ${unit}s` : ` of at most ${most} ${unit}s`;
}

/** Describes a value of any size in a few words. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isRecord(value)) return "an object";
  if (typeof value !== "string") return String(value);
  return value.length > 60 ? `${JSON.stringify(value.slice(0, 60))}…` : JSON.stringify(value);
}
