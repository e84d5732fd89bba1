/** Variables of a kernel's text: what is declared and assigned to is a number, an object or a record. */
import { memberOf, named, type ObjectValue, partNames, type Value } from "./values.ts";

/** Statements that declare `name`, and what it stands for from then on. */
export function declaration(
  kind: string,
  name: string,
  value: Value,
): { readonly lines: string[]; readonly value: Value } {
  if (value.kind === "text") {
    return { lines: [`${kind} ${name} = ${value.text};`], value: named(name) };
  }
  if (value.kind === "view" && kind === "const") {
    if (value.base.length === 0) return { lines: [], value };
    const lines = [`const ${name} = ${value.base.join(" + ")};`];
    return { lines, value: { ...value, base: [name] } };
  }
  const parts = partNames(value).map((part) => ({ part, own: `${name}_${part}` }));
  return {
    lines: parts.map(({ part, own }) => `let ${own} = ${numberOf(value, part)};`),
    value: { kind: "object", parts: new Map(parts.map(({ part, own }) => [part, named(own)])) },
  };
}

/** Statements that give an object other numbers; a property that later ones still read changes last. */
export function assignment(target: ObjectValue, value: Value, serial: number): string[] {
  const moves = [...target.parts].map(([part, { text: to }]) => {
    return { to, from: numberOf(value, part), kept: `${to}_${serial}` };
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

function numberOf(value: Value, part: string): string {
  const number = memberOf(value, part);
  if (number.kind !== "text") throw new Error(`${part} is no number`);
  return number.text;
}
