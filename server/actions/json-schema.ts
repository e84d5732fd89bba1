/** TypeBox schemas as they are best read in an OpenAPI document or a list of tools. */
import type { TSchema } from "typebox";

export interface JsonSchema {
  [keyword: string]: unknown;
  required?: readonly string[];
  /** What a document shows in place of the schema, beside its description and examples. */
  shownAs?: JsonSchema;
}

export interface Style {
  /** Input may leave out what has a default; in an answer everything is there. */
  readonly input: boolean;
  /** A change has no defaults: what it leaves out stays as it is. */
  readonly defaults: boolean;
  /** Schemas that the document holds under a name. */
  readonly names?: ReadonlyMap<TSchema, string>;
}

/** The schema in plain JSON Schema 2020-12. */
export function jsonSchema(schema: TSchema, style: Style): JsonSchema {
  return convert(schema as JsonSchema, style);
}

function convert(schema: JsonSchema, style: Style): JsonSchema {
  const { shownAs, description, examples } = schema;
  // What is checked by code says nothing in JSON Schema by itself.
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
    // Enumerations are of words here; documentation pages look for the type.
    ...(rest.enum !== undefined && { type: "string" }),
    ...(properties !== undefined && convertObject(properties as Members, required, style)),
    ...(items !== undefined && { items: reference(items as JsonSchema, style) }),
    ...(anyOf !== undefined && convertUnion(anyOf as JsonSchema[], style)),
    // A record of anything under any name.
    ...(patternProperties !== undefined && { additionalProperties: true }),
  };
}

type Members = Readonly<Record<string, JsonSchema>>;

function convertObject(members: Members, required: readonly string[] = [], style: Style) {
  const needed = required.filter((name) => !style.input || members[name]?.default === undefined);
  return {
    properties: Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, reference(member, style)]),
    ),
    ...(needed.length > 0 && { required: needed }),
  };
}

/** A union of words is an enumeration; documentation pages show it as a list to choose from. */
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

/** The schema, or a reference where it has a name. */
export function schemaOrReference(schema: TSchema, style: Style): JsonSchema {
  return reference(schema as JsonSchema, style);
}
