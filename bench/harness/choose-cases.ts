/** Selects cases by number or name. */
import type { BenchCase } from "./case.ts";

/** The message lists the cases. */
export class NoSuchCase extends RangeError {
  override readonly name = "NoSuchCase";
}

/**
 * Returns the cases that match any filter; without filters those that are not long. A long case
 * matches its number or whole name only, unless `all` is set. Throws `NoSuchCase` if a
 * filter matches none.
 */
export function chooseCases(
  cases: readonly BenchCase[],
  filters: readonly string[],
  all = false,
): readonly BenchCase[] {
  if (filters.length === 0) return cases.filter(({ long }) => all || long === undefined);
  for (const filter of filters) {
    if (selects(cases, filter)) continue;
    throw new NoSuchCase(`no case "${filter}"; there are: ${caseNames(cases)}`);
  }
  return cases.filter((one) => filters.some((filter) => fits(one, filter)));
}

/** Returns the cases in a line, such as `1 (p4m), overload`. */
export const caseNames = (cases: readonly BenchCase[]): string =>
  cases.map(({ name, number }) => (number ? `${number} (${name})` : name)).join(", ");

/** Returns whether a filter matches any case. */
export const selects = (cases: readonly BenchCase[], filter: string): boolean =>
  cases.some((one) => fits(one, filter));

function fits({ name, number, long }: BenchCase, filter: string): boolean {
  if (/^\d+$/.test(filter)) return String(number) === filter;
  return name === filter || (long === undefined && name.includes(filter));
}
