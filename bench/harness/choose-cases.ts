/** Picks cases by their number or a part of their name. */
import type { BenchCase } from "./case.ts";

/** All cases for no filter. Throws a RangeError that lists them when a filter fits none. */
export function chooseCases(
  cases: readonly BenchCase[],
  filters: readonly string[],
): readonly BenchCase[] {
  if (filters.length === 0) return cases;
  for (const filter of filters) {
    if (cases.some((one) => fits(one, filter))) continue;
    const list = cases.map(({ name, number }) => (number ? `${number} (${name})` : name));
    throw new RangeError(`no case "${filter}"; there are: ${list.join(", ")}`);
  }
  return cases.filter((one) => filters.some((filter) => fits(one, filter)));
}

function fits({ name, number }: BenchCase, filter: string): boolean {
  return String(number) === filter || name.includes(filter);
}
