/** Records as the flat numbers that kernels read. */

/** The fields of a record in the given order; a field that is a list gives all its numbers. */
export function numbersOf<Name extends string>(
  record: Readonly<Record<Name, number | readonly number[]>>,
  order: readonly Name[],
): number[] {
  return order.flatMap((name) => record[name]);
}
