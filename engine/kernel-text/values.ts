/** Values of a kernel's expressions while its text is rewritten. */
import { type Field, type Layout, sizeOf } from "../../shaders/lib/layout.ts";

export type Value = Text | ObjectValue | View;

/** A number or an array, as text. */
export interface Text {
  readonly kind: "text";
  readonly text: string;
  /** An `expression` needs parentheses among operators; only a `name` can be repeated at no cost. */
  readonly form: "name" | "term" | "expression";
  /** Whether the name always has the same value. */
  readonly constant?: boolean;
}

/** Named numbers, each a variable or an expression. */
export interface ObjectValue {
  readonly kind: "object";
  readonly parts: ReadonlyMap<string, Text>;
}

/** A position in an array of known layout. */
export interface View {
  readonly kind: "view";
  readonly array: string;
  /** Terms whose sum with `offset` is its start. */
  readonly base: readonly string[];
  readonly offset: number;
  readonly field: Field;
}

export const named = (text: string): Text => ({ kind: "text", text, form: "name" });
export const constant = (text: string): Text => ({ ...named(text), constant: true });
export const term = (text: string): Text => ({ kind: "text", text, form: "term" });
export const expression = (text: string): Text => ({ kind: "text", text, form: "expression" });
export const viewOf = (array: string, field: Field): View => ({
  kind: "view",
  array,
  base: [],
  offset: 0,
  field,
});

/** Whether a value can be read repeatedly at no cost: a name, or a position that starts at one. */
export const isNamed = (value: Text | View): boolean =>
  value.kind === "text" ? value.form === "name" : value.base.every((term) => /^\w+$/.test(term));

/** Returns the text as an operand. */
export const operand = ({ text, form }: Text): string =>
  form === "expression" ? `(${text})` : text;

const WHOLE = /^\d+$/;

/** Returns an operation on two numbers, folded if both are integers. */
export function binary(left: Text, operator: string, right: Text): Text {
  const a = WHOLE.test(left.text) ? Number(left.text) : Number.NaN;
  const b = WHOLE.test(right.text) ? Number(right.text) : Number.NaN;
  if (operator === "+" && b === 0) return left;
  if (operator === "+" && a === 0) return right;
  if (operator === "+" && !Number.isNaN(a + b)) return named(String(a + b));
  if (operator === "-" && a >= b) return named(String(a - b));
  if (operator === "*" && !Number.isNaN(a * b)) return named(String(a * b));
  if (operator === "/" && Number.isInteger(Math.log2(b))) {
    return expression(`${operand(left)} * ${1 / b}`);
  }
  return expression(`${operand(left)} ${operator} ${operand(right)}`);
}

/** Returns `of.name`. Throws if there is no such field. */
export function memberOf(of: Value, name: string): Value {
  if (of.kind === "text") {
    const text = `${of.text}.${name}`;
    return { ...of, text, constant: of.constant || text === "this.constants" };
  }
  const part = of.kind === "object" ? of.parts.get(name) : fieldOf(of, name);
  if (part === undefined) throw new Error(`there is no ${name} among ${partNames(of).join(", ")}`);
  return part;
}

/** Returns `of[index]`: a number of an array or of a list, or a record. */
export function elementOf(of: Value, index: Text): Value {
  if (of.kind === "text") return term(`${of.text}[${index.text}]`);
  if (of.kind === "object") throw new Error("an object's properties are read by name");
  const record = typeof of.field === "number" ? null : recordIn(of.field);
  const field = record ?? 1;
  const size = record?.size ?? 1;
  // A constant that is added last becomes part of the offset.
  const [, before = "", fixed] = /^(?:(.*) \+ )?(\d+)$/.exec(index.text) ?? [];
  const offset = of.offset + Number(fixed ?? 0) * size;
  if (fixed !== undefined && before === "") return placed({ ...of, offset, field });
  const rest = fixed === undefined ? operand(index) : before;
  const at = record === null ? rest : `${rest} * ${size}`;
  return placed({ ...of, base: [...of.base, at], offset, field });
}

/** Returns the record at the offset `at` of `records`. */
export function recordOf(records: Value | undefined, at: Value | undefined): View {
  if (records?.kind !== "view" || typeof records.field === "number" || at?.kind !== "text") {
    throw new Error("recordAt takes records and a number");
  }
  return { ...records, base: [...records.base, at.text], field: recordIn(records.field) };
}

const recordIn = (field: Layout | readonly [Layout, number]): Layout =>
  "fields" in field ? field : field[0];

/** Returns the names of an object's properties or of a record's fields. */
export function partNames(of: ObjectValue | View): string[] {
  if (of.kind === "object") return [...of.parts.keys()];
  return typeof of.field === "object" && "fields" in of.field ? Object.keys(of.field.fields) : [];
}

function fieldOf({ field, ...view }: View, name: string): Value | undefined {
  if (typeof field === "number" || !("fields" in field)) return undefined;
  let { offset } = view;
  for (const [other, one] of Object.entries(field.fields)) {
    if (other === name) return placed({ ...view, offset, field: one });
    offset += sizeOf(one);
  }
  return undefined;
}

/** A view of one number becomes that number. */
function placed(view: View): Value {
  const { array, base, offset, field } = view;
  if (field !== 1) return view;
  const terms = offset === 0 && base.length > 0 ? base : [...base, offset];
  return term(`${array}[${terms.join(" + ")}]`);
}
