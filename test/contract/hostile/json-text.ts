/** JSON as no serialiser would write it: numbers out of range, names that come twice. */

/** A piece of JSON text, put where a value belongs. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The JSON text of a value that may hold raw pieces. */
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

/** What a reader makes of the value. */
export function read(value: unknown): unknown {
  return value instanceof Raw ? (JSON.parse(value.text) as unknown) : value;
}
