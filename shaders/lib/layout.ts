/**
 * Layouts of the records that kernels read from flat arrays. A table is written by `numbersOf` and
 * read by field names: in the kernel's text, `petal.tip` becomes `shapes[petal + 7]`.
 */

/** Type of a field: one number (`1`), a list of so many, a record, or a list of records. */
export type Field = number | Layout | readonly [record: Layout, count: number];

/** Fields in the order of the array. */
export interface Layout<
  Fields extends Readonly<Record<string, Field>> = Readonly<Record<string, Field>>,
> {
  readonly fields: Fields;
  /** Numbers in a record. */
  readonly size: number;
}

/** A record as seen by a kernel. */
export type RecordOf<L extends Layout> = {
  readonly [Name in keyof L["fields"]]: Read<L["fields"][Name]>;
};

type Read<F> = F extends 1
  ? number
  : F extends number
    ? readonly number[]
    : F extends Layout
      ? RecordOf<F>
      : F extends readonly [infer L extends Layout, number]
        ? readonly RecordOf<L>[]
        : never;

/** Input of `numbersOf`: records and lists may be given as their numbers in order. */
export type RecordInput<L extends Layout> = {
  readonly [Name in keyof L["fields"]]: L["fields"][Name] extends 1 ? number : ArrayLike<number>;
};

export function layout<const Fields extends Readonly<Record<string, Field>>>(
  fields: Fields,
): Layout<Fields> {
  const size = Object.values(fields).reduce<number>((sum, field) => sum + sizeOf(field), 0);
  return { fields, size };
}

/** Returns the number of numbers in a field. */
export function sizeOf(field: Field): number {
  if (typeof field === "number") return field;
  return "fields" in field ? field.size : field[0].size * field[1];
}

/** Returns a record's numbers in the layout's order. Throws if a list has another length. */
export function numbersOf<L extends Layout>(record: RecordInput<L>, layout: L): number[] {
  return listsOf(record, layout).flatMap((list) => Array.from(list));
}

/** Returns the same numbers as a Float32Array for kernels. */
export function float32sOf<L extends Layout>(record: RecordInput<L>, layout: L): Float32Array {
  const numbers = new Float32Array(layout.size);
  let at = 0;
  for (const list of listsOf(record, layout)) {
    numbers.set(list, at);
    at += list.length;
  }
  return numbers;
}

function listsOf<L extends Layout>(record: RecordInput<L>, { fields }: L): ArrayLike<number>[] {
  return Object.entries(fields).map(([name, field]) => {
    const value: number | ArrayLike<number> = record[name];
    const numbers = typeof value === "number" ? [value] : value;
    if (numbers.length !== sizeOf(field)) {
      throw new Error(`${name} has ${numbers.length} numbers, its field ${sizeOf(field)}`);
    }
    return numbers;
  });
}

/**
 * Returns the record at offset `at`. Only for kernels: the call is replaced in their text.
 * `records[index]` finds a record by its number and multiplies by the size.
 */
export function recordAt<R>(_records: readonly R[], _at: number): R {
  throw new Error("recordAt is for kernels, which replace it in their text");
}

/** A vector. */
export const XY = layout({ x: 1, y: 1 });

/** Linear light. */
export const RGB = layout({ red: 1, green: 1, blue: 1 });
export type Rgb = RecordOf<typeof RGB>;
