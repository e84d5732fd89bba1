/** Parameters far from their defaults, which reveal differences between backends. */
import Type, { type TObject, type TSchema } from "typebox";

/** The fields of the catalogues' parameter schemas. */
interface Parameter {
  readonly type?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Parameter[];
  readonly items?: Parameter;
  readonly minItems?: number;
  readonly pattern?: string;
}

/** Whether a parameter may be left out, and has no default then. */
export const isOptional = (schema: TSchema): boolean => Type.IsOptional(schema);

/**
 * A value for each parameter but optional ones: numbers nine tenths up their range, integers rounded, another member
 * of an enumeration, another colour, the other boolean; seeds are 77. Throws for a kind of
 * parameter that it does not know.
 */
export function extremeParameters(params: TObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params.properties)
      .filter(([, schema]) => !isOptional(schema))
      .map(([name, schema]) => [name, name === "seed" ? 77 : extremeValue(schema, name)]),
  );
}

function extremeValue(schema: Parameter, name: string): unknown {
  const { type, minimum = 0, maximum } = schema;
  if (schema.enum !== undefined) return schema.enum.findLast((one) => one !== schema.default);
  // The last of a union is its richest: a list beside a name, a value beside null.
  if (schema.anyOf !== undefined) return extremeValue(schema.anyOf.at(-1) as Parameter, name);
  if (type === "boolean") return schema.default !== true;
  if (type === "string" && schema.pattern?.startsWith("^#")) return "#8c3fd1";
  if (type === "array" && schema.items !== undefined) {
    return Array(schema.minItems ?? 1).fill(extremeValue(schema.items, name));
  }
  if (maximum !== undefined) {
    const far = minimum + 0.9 * (maximum - minimum);
    return type === "integer" ? Math.round(far) : far;
  }
  throw new Error(`${name}: how far can ${JSON.stringify(schema)} go?`);
}
