/** `npm run bench -- list`: the cases. */
import { cases } from "../cases/index.ts";
import type { BenchCase } from "../harness/case.ts";
import { chooseCases } from "../harness/choose-cases.ts";
import { createOutput, defineCommand, jsonOption } from "../harness/command.ts";
import { targetLine } from "../harness/format-table.ts";

export const list = defineCommand({
  name: "list",
  operands: "[CASE…]",
  summary: "lists the cases: number, name, what they measure, targets",
  details: "",
  options: { json: jsonOption },
  async run(filters, { json }) {
    const chosen = chooseCases(cases, filters, true);
    const output = createOutput(json);
    output.print(chosen.map(paragraph).join("\n\n"));
    output.json(chosen.map(({ prepare: _, ...facts }) => facts));
  },
});

/** Returns number, name and scope of a case, then its title, targets and length. */
function paragraph({ number, name, scope, title, metrics, targets, long }: BenchCase): string {
  return [
    `${number === undefined ? "" : `${number}  `}${name}  (${scope})`,
    `    ${title}`,
    ...targets.map((target) => `    target: ${targetLine(target, metrics)}`),
    ...(long === undefined ? [] : [`    runs only when named: ${long.why}`]),
  ].join("\n");
}
