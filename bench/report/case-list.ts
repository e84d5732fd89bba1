/** The cases as a list. */
import type { BenchCase } from "../harness/case.ts";
import { targetLine } from "../harness/format-table.ts";

/** A paragraph for each case: number, name and scope, then its title, targets and length. */
export const listCases = (cases: readonly BenchCase[]): string => cases.map(paragraph).join("\n\n");

function paragraph({ number, name, scope, title, metrics, targets, long }: BenchCase): string {
  return [
    `${number === undefined ? "" : `${number}  `}${name}  (${scope})`,
    `    ${title}`,
    ...targets.map((target) => `    target: ${targetLine(target, metrics)}`),
    ...(long === undefined ? [] : [`    runs only when named: ${long.why}`]),
  ].join("\n");
}
