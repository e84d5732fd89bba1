/**
 * `npm run bench -- compare REF [CASE…]`: compares the working tree with another commit.
 *
 * Two processes prepare each case, one from REF's files in a temporary worktree and one from ours,
 * and run rounds in turn; they are compared by the ratios of each round. Each side uses its own
 * case of that name, and both must have the same title, which says what is measured. Peers do not
 * run. With ten comparisons at 95 % confidence, one difference in two runs is chance: run it again.
 */
import { cases } from "../cases/index.ts";
import { formatComparison } from "../compare/format-comparison.ts";
import { type CaseComparison, openComparison } from "../compare/open-comparison.ts";
import { chooseCases } from "../harness/choose-cases.ts";
import { createOutput, defineCommand, jsonOption } from "../harness/command.ts";
import { describeEnvironment, environment } from "../harness/environment.ts";
import { parseRounds, roundsOption } from "../harness/rounds.ts";

/** Of 10 rounds the second and the last but one bound the median. */
export const COMPARE_ROUNDS = 10;

export const compare = defineCommand({
  name: "compare",
  operands: "REF [CASE…]",
  summary: "compares another commit with the working tree",
  details: `Both run in turn. The verdict is a 95 % confidence interval of the median of the paired ratios; at
least six rounds are needed. One comparison in twenty finds a difference by chance: run it again.`,
  options: { rounds: roundsOption(COMPARE_ROUNDS), json: jsonOption },
  async run([reference, ...filters], values) {
    if (reference === undefined) throw new RangeError("compare: expected a commit, such as main~1");
    const rounds = parseRounds(values.rounds);
    const chosen = chooseCases(cases, filters);
    const output = createOutput(values.json);
    const place = environment(new Date());
    const comparison = await openComparison(reference);
    try {
      output.print(`${describeEnvironment(place)}; ${rounds} rounds`);
      const comparisons: CaseComparison[] = [];
      for (const one of chosen) {
        const compared = await comparison.compare(one, rounds);
        comparisons.push(compared);
        output.print(`\n${formatComparison(compared, comparison.commit)}`);
      }
      output.json({ environment: place, commit: comparison.commit, comparisons });
    } finally {
      comparison.close();
    }
  },
});
