/** Converts TypeBox schemas to readable JSON Schema for the OpenAPI document and MCP tools. */
import type { TSchema } from "typebox";

export interface JsonSchema {
  [keyword: string]: unknown;
  required?: readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  examples?: readonly unknown[];
  /** Replaces the schema in documents, except description and examples. */
  shownAs?: JsonSchema;
}

export interface Style {
  /** In input, fields with defaults are optional; in output all fields are present. */
  readonly input: boolean;
  /** Whether defaults are shown: in updates, omitted fields stay unchanged. */
  readonly defaults: boolean;
  /** Named schemas of the document. */
  readonly names?: ReadonlyMap<TSchema, string>;
}

/** Returns the schema in plain JSON Schema 2020-12. */
export function jsonSchema(schema: TSchema, style: Style): JsonSchema {
  return convert(schema as JsonSchema, style);
}

function convert(schema: JsonSchema, style: Style): JsonSchema {
  const { shownAs, description, examples } = schema;
  // Refinements by code cannot be expressed in JSON Schema.
  if (shownAs) {
    return {
      ...shownAs,
      ...(examples !== undefined && { examples }),
      ...(description !== undefined && { description }),
    };
  }
  const { required, properties, items, anyOf, patternProperties, ...rest } = schema;
  if (!style.defaults) delete rest.default;
  return {
    ...rest,
    // All enumerations are of strings; Swagger UI needs the type.
    ...(rest.enum !== undefined && { type: "string" }),
    ...(properties !== undefined && convertObject(properties, required, style)),
    ...(items !== undefined && { items: reference(items, style) }),
    ...(anyOf !== undefined && convertUnion(anyOf, style)),
    // A record with arbitrary members.
    ...(patternProperties !== undefined && { additionalProperties: true }),
  };
}

function convertObject(
  members: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
  style: Style,
) {
  const needed = required.filter((name) => !style.input || members[name]?.default === undefined);
  return {
    properties: Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, reference(member, style)]),
    ),
    ...(needed.length > 0 && { required: needed }),
  };
}

/** Converts a union of literals to an enumeration, which Swagger UI shows as a list. */
function convertUnion(variants: readonly JsonSchema[], style: Style) {
  const isWord = (variant: JsonSchema) => variant.const !== undefined;
  return variants.every(isWord)
    ? { type: "string", enum: variants.map((variant) => variant.const) }
    : { anyOf: variants.map((variant) => reference(variant, style)) };
}

function reference(schema: JsonSchema, style: Style): JsonSchema {
  const name = style.names?.get(schema);
  return name ? { $ref: `#/components/schemas/${name}` } : convert(schema, style);
}

/** Returns the schema, or a reference if it has a name. */
export function schemaOrReference(schema: TSchema, style: Style): JsonSchema {
  return reference(schema as JsonSchema, style);
}
