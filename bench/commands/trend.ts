/** `npm run bench -- trend [CASE…]`: each target over the stored results. */
import { cases } from "../cases/index.ts";
import { chooseCases } from "../harness/choose-cases.ts";
import { createOutput, defineCommand, jsonOption } from "../harness/command.ts";
import { commitDate } from "../harness/git.ts";
import { storedResults } from "../harness/results-folder.ts";
import { formatTrends } from "../trend/format-trends.ts";
import { trendsOf } from "../trend/trends.ts";

export const trend = defineCommand({
  name: "trend",
  operands: "[CASE…]",
  summary: "draws each target over the stored results of past commits",
  details: `Bars stand for results in the order of their commits and rise where a figure improves. A newest result
that is more than a tenth worse than the baseline, the median of the five before it, is marked. Measures
nothing.`,
  options: { json: jsonOption },
  async run(filters, { json }) {
    const chosen = chooseCases(cases, filters, true);
    const trends = trendsOf(chosen, await storedResults(), commitDate);
    const output = createOutput(json);
    output.print(trends.length === 0 ? "No stored results of these cases." : formatTrends(trends));
    output.json(trends);
  },
});
