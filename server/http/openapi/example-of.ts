import Type, { type TSchema } from "typebox";

/**
 * Composes a value of a schema from its examples, defaults and enumerations; undefined if they do
 * not suffice. `isInput` omits fields with defaults.
 */
export function exampleOf(schema: TSchema, isInput: boolean): unknown {
  const { examples, default: preset }: { examples?: unknown[]; default?: unknown } = schema;
  if (examples) return examples[0];
  if (preset !== undefined) return preset;
  if (Type.IsLiteral(schema)) return schema.const;
  if (Type.IsEnum(schema)) return schema.enum[0];
  if (Type.IsUnion(schema)) {
    const [first] = schema.anyOf;
    return first && exampleOf(first, isInput);
  }
  if (Type.IsArray(schema)) {
    const item = exampleOf(schema.items, isInput);
    return item === undefined ? undefined : [item];
  }
  return Type.IsObject(schema) ? exampleOfObject(schema, isInput) : undefined;
}

function exampleOfObject({ properties, required }: Type.TObject, isInput: boolean): unknown {
  const members = (required ?? []).flatMap((name) => {
    const property = properties[name];
    if (!property || (isInput && "default" in property)) return [];
    return [[name, exampleOf(property, isInput)] as const];
  });
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}
