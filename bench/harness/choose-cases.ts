/** Picks cases by their number or a part of their name. */
import type { BenchCase } from "./case.ts";

/**
 * The cases that any filter fits; without filters those that are not long. A long case is chosen by
 * its number or its whole name only, or with `all`. Throws a RangeError that lists them when a
 * filter fits none.
 */
export function chooseCases(
  cases: readonly BenchCase[],
  filters: readonly string[],
  all = false,
): readonly BenchCase[] {
  if (filters.length === 0) return cases.filter(({ long }) => all || long === undefined);
  for (const filter of filters) {
    if (cases.some((one) => fits(one, filter))) continue;
    const list = cases.map(({ name, number }) => (number ? `${number} (${name})` : name));
    throw new RangeError(`no case "${filter}"; there are: ${list.join(", ")}`);
  }
  return cases.filter((one) => filters.some((filter) => fits(one, filter)));
}

function fits({ name, number, long }: BenchCase, filter: string): boolean {
  if (/^\d+$/.test(filter)) return String(number) === filter;
  return name === filter || (long === undefined && name.includes(filter));
}
