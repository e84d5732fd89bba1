/** Selects cases by number or name. */
import type { BenchCase } from "./case.ts";

/** The message lists the cases. */
export class NoSuchCase extends RangeError {
  override readonly name = "NoSuchCase";
}

/**
 * Returns the cases that match any filter; without filters those that are not long, or all of them. A
 * long case matches its number or whole name only. Throws `NoSuchCase` if a filter matches none.
 */
export function chooseCases(
  cases: readonly BenchCase[],
  filters: readonly string[],
  all = false,
): readonly BenchCase[] {
  if (filters.length === 0) return cases.filter(({ long }) => all || long === undefined);
  const chosen = filters.flatMap((filter) => {
    const matches = matching(cases, filter);
    if (matches.length > 0) return matches;
    throw new NoSuchCase(`no case "${filter}"; there are: ${caseNames(cases)}`);
  });
  return cases.filter((one) => chosen.includes(one));
}

/** Returns the cases in a line, such as `1 (p4m), overload`. */
export const caseNames = (cases: readonly BenchCase[]): string =>
  cases.map(({ name, number }) => (number ? `${number} (${name})` : name)).join(", ");

/** Returns whether a filter matches any case. */
export const selects = (cases: readonly BenchCase[], filter: string): boolean =>
  matching(cases, filter).length > 0;

/** Returns the case of that number or name; otherwise those with the filter in their names. */
function matching(cases: readonly BenchCase[], filter: string): readonly BenchCase[] {
  const exact = cases.filter(({ name, number }) => name === filter || String(number) === filter);
  if (exact.length > 0 || /^\d+$/.test(filter)) return exact;
  return cases.filter(({ name, long }) => long === undefined && name.includes(filter));
}
