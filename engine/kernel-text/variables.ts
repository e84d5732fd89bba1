/** Variables of a kernel's text: what is declared and assigned to is a number, an object or a record. */
import {
  constant,
  memberOf,
  named,
  type ObjectValue,
  partNames,
  type Text,
  type Value,
} from "./values.ts";

/** The names of a text's variables: no two are alike, so that one may stand in another's place. */
export class VariableNames {
  readonly #taken = new Set<string>();
  #serial = 0;

  /** `name`, with a number behind it where that is taken. */
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
 * Statements that declare `name`, and what it stands for from then on. What is constant already is not
 * copied: where some threads of a loop or a condition are idle, a copy costs a selection.
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

/** Statements that give an object other numbers; a property that later ones still read changes last. */
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
