/** Variables of a kernel's text: numbers, objects and records. */
import {
  constant,
  memberOf,
  named,
  type ObjectValue,
  partNames,
  type Text,
  type Value,
} from "./values.ts";

/** Unique names of a text's variables. */
export class VariableNames {
  readonly #taken = new Set<string>();
  #serial = 0;

  /** Returns `name`, with a number appended if it is taken. */
  unique(name: string): string {
    const own = this.#taken.has(name) ? `${name}_${this.next()}` : name;
    this.#taken.add(own);
    return own;
  }

  next(): number {
    return ++this.#serial;
  }
}

/**
 * Returns the statements that declare `name`, and its value from then on. Constants are not copied:
 * if some threads of a loop or a condition are idle, a copy costs a selection.
 */
export function declaration(
  kind: string,
  name: string,
  value: Value,
  names: VariableNames,
): { readonly lines: readonly string[]; readonly value: Value } {
  if (value.kind === "text") return numberDeclaration(kind, name, value, names);
  if (value.kind === "view" && kind === "const") {
    if (value.base.length === 0) return { lines: [], value };
    const own = names.unique(name);
    const lines = [`const ${own} = ${value.base.join(" + ")};`];
    return { lines, value: { ...value, base: [own] } };
  }
  const parts = partNames(value).map((part) => {
    const declared = numberDeclaration(kind, `${name}_${part}`, numberOf(value, part), names);
    return { part, ...declared };
  });
  return {
    lines: parts.flatMap(({ lines }) => lines),
    value: { kind: "object", parts: new Map(parts.map(({ part, value }) => [part, value])) },
  };
}

function numberDeclaration(
  kind: string,
  name: string,
  value: Text,
  names: VariableNames,
): { readonly lines: readonly string[]; readonly value: Text } {
  if (kind === "const" && value.constant) return { lines: [], value };
  const own = names.unique(name);
  const declared = kind === "const" ? constant(own) : named(own);
  return { lines: [`${kind} ${own} = ${value.text};`], value: declared };
}

/** Returns the statements that assign an object; a property that later ones read is assigned last. */
export function assignment(target: ObjectValue, value: Value, names: VariableNames): string[] {
  const moves = [...target.parts].map(([part, { text: to }]) => {
    return { to, from: numberOf(value, part).text, kept: names.unique(to) };
  });
  const isRead = (name: string, after: number) =>
    moves.slice(after + 1).some(({ from }) => new RegExp(`\\b${name}\\b`).test(from));
  const late = moves.filter(({ to }, index) => isRead(to, index));
  return [
    ...late.map(({ kept, from }) => `const ${kept} = ${from};`),
    ...moves.filter((move) => !late.includes(move)).map(({ to, from }) => `${to} = ${from};`),
    ...late.map(({ to, kept }) => `${to} = ${kept};`),
  ];
}

function numberOf(value: Value, part: string): Text {
  const number = memberOf(value, part);
  if (number.kind !== "text") throw new Error(`${part} is no number`);
  return number;
}
