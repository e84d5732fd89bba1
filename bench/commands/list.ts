/** `npm run bench -- list`: the cases. */
import { cases } from "../cases/index.ts";
import { chooseCases } from "../harness/choose-cases.ts";
import { createOutput, defineCommand, jsonOption } from "../harness/command.ts";
import { listCases } from "../report/case-list.ts";

export const list = defineCommand({
  name: "list",
  operands: "[CASE…]",
  summary: "lists the cases: number, name, what they measure, targets",
  details: "",
  options: { json: jsonOption },
  async run(filters, { json }) {
    const chosen = chooseCases(cases, filters, true);
    const output = createOutput(json);
    output.print(listCases(chosen));
    output.json(chosen.map(({ prepare: _, ...facts }) => facts));
  },
});
