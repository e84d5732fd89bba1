/** JSON that no serialiser writes: numbers out of range, duplicate names. */

/** Raw JSON text in place of a value. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Serialises a value that may contain raw text. */
export function jsonText(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`,
  );
  return `{${members.join(",")}}`;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Raw);

/** Parses the value as a reader does. */
export function read(value: unknown): unknown {
  return value instanceof Raw ? JSON.parse(value.text) : value;
}
