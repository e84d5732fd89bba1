/**
 * Reads query strings by a schema: numbers and booleans from text, an object of numbers as `x,y`,
 * other objects and arrays as JSON text. Other text stays as it is, for validation to report.
 */
import Type, { type TSchema } from "typebox";
import { parseBoundedJson } from "../intake/index.ts";

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

/** Returns the parameters of a query string in the schema's types where possible. */
export function readQuery(schema: TSchema, query: string): Record<string, unknown> {
  const properties: Record<string, TSchema> = Type.IsObject(schema) ? schema.properties : {};
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const [text = "", ...others] = parameters.getAll(name);
      if (others.length > 0) return [name, [text, ...others]];
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, property ? readValue(property, text) : text];
    }),
  );
}
