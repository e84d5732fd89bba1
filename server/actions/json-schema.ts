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

/** How schemas are converted. */
export interface SchemaOptions {
  /** In input, fields with defaults are optional; in output all fields are present. */
  readonly input: boolean;
  /** Whether defaults are shown: in updates, omitted fields stay unchanged. */
  readonly defaults: boolean;
  /** Named schemas of the document. */
  readonly names?: ReadonlyMap<TSchema, string>;
}

/** Returns the schema in plain JSON Schema 2020-12. */
export function jsonSchema(schema: TSchema, options: SchemaOptions): JsonSchema {
  return convert(schema as JsonSchema, options);
}

function convert(schema: JsonSchema, options: SchemaOptions): JsonSchema {
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
  if (!options.defaults) delete rest.default;
  return {
    ...rest,
    // All enumerations are of strings; Swagger UI needs the type.
    ...(rest.enum !== undefined && { type: "string" }),
    ...(properties !== undefined && convertObject(properties, required, options)),
    ...(items !== undefined && { items: reference(items, options) }),
    ...(anyOf !== undefined && convertUnion(anyOf, options)),
    // A record with arbitrary members.
    ...(patternProperties !== undefined && { additionalProperties: true }),
  };
}

function convertObject(
  members: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
  options: SchemaOptions,
) {
  const needed = required.filter((name) => !options.input || members[name]?.default === undefined);
  return {
    properties: Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, reference(member, options)]),
    ),
    ...(needed.length > 0 && { required: needed }),
  };
}

/** Converts a union of literals to an enumeration, which Swagger UI shows as a list. */
function convertUnion(variants: readonly JsonSchema[], options: SchemaOptions) {
  const isWord = (variant: JsonSchema) => variant.const !== undefined;
  return variants.every(isWord)
    ? { type: "string", enum: variants.map((variant) => variant.const) }
    : { anyOf: variants.map((variant) => reference(variant, options)) };
}

function reference(schema: JsonSchema, options: SchemaOptions): JsonSchema {
  const name = options.names?.get(schema);
  return name ? { $ref: `#/components/schemas/${name}` } : convert(schema, options);
}

/** Returns the schema, or a reference if it has a name. */
export function schemaOrReference(schema: TSchema, options: SchemaOptions): JsonSchema {
  return reference(schema as JsonSchema, options);
}
