/** Selects cases by number or name. */
import type { BenchCase } from "./case.ts";

/**
 * Returns the cases that match any filter; without filters those that are not long. A long case
 * matches its number or whole name only, unless `all` is set. Throws a RangeError that lists the
 * cases if a filter matches none.
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
