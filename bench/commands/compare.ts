/**
 * `npm run bench -- compare REF [CASE…] [--rounds N]`: compares the working tree with another
 * commit.
 *
 * Two processes prepare each case, one from REF's files in a temporary worktree and one from ours,
 * and run rounds in turn; they are compared by the ratios of each round. Each side uses its own
 * case of that name, and both must have the same title, which says what is measured. Peers do not
 * run. With ten comparisons at 95 % confidence, one difference in two runs is chance: run it again.
 */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cases } from "../cases/index.ts";
import { compareSides } from "../compare/ab-comparison.ts";
import { formatComparison } from "../compare/format-comparison.ts";
import { openSide, type Side } from "../compare/open-side.ts";
import { checkOut } from "../compare/worktree.ts";
import { chooseCases } from "../harness/choose-cases.ts";
import { describeEnvironment, environment } from "../harness/environment.ts";
import { createProgress } from "../harness/progress.ts";
import { parseRounds } from "../harness/rounds.ts";

/** Of 10 rounds the second and the last but one bound the median. */
const ROUNDS = 10;

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Throws a RangeError for invalid arguments. */
export async function compare(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { rounds: { type: "string", default: String(ROUNDS) } },
  });
  const [reference, ...filters] = positionals;
  if (reference === undefined) throw new RangeError("compare: expected a commit, such as main~1");
  const rounds = parseRounds(values.rounds);
  const chosen = chooseCases(cases, filters);
  const setUp = createProgress(process.stderr, "compare");
  const { folder, commit, remove } = checkOut(reference, setUp.report);
  // The terminal sends the signal to the children too, which end with this process.
  const interrupted = () => {
    remove();
    process.exit(130);
  };
  process.once("SIGINT", interrupted);
  const sides: Side[] = [];
  try {
    setUp.report("starting both sides");
    const before = await openSide(folder);
    sides.push(before);
    const after = await openSide(ROOT);
    sides.push(after);
    const old = await before.ask({ ask: "cases" });
    setUp.end();
    console.log(`${describeEnvironment(environment(new Date()))}; ${rounds} rounds`);
    for (const one of chosen) {
      const same = old.find(({ name }) => name === one.name);
      if (same?.title !== one.title) {
        const why =
          same === undefined ? "has no such case" : `measures something else: ${same.title}`;
        console.log(`\n${one.title}\n  left out: ${commit} ${why}`);
        continue;
      }
      const progress = createProgress(process.stderr, one.name);
      try {
        const rows = await compareSides({ before, after }, one, rounds, progress.report);
        progress.end();
        console.log(`\n${formatComparison(one.title, commit, rows)}`);
      } catch (error) {
        progress.end();
        // Further lines are the server's log.
        const [why = ""] = (error as Error).message.split("\n");
        console.log(`\n${one.title}\n  left out: ${why}`);
      }
    }
  } finally {
    for (const side of sides) side.end();
    remove();
    process.off("SIGINT", interrupted);
  }
}
