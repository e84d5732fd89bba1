import Type, { type TSchema } from "typebox";

/**
 * A value of a schema, put together from the examples, defaults and words in it; undefined where
 * they do not suffice. `isInput`: what has a default is left out.
 */
export function exampleOf(schema: TSchema, isInput: boolean): unknown {
  const { examples, default: preset } = schema as { examples?: unknown[]; default?: unknown };
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
