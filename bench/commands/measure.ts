/**
 * `npm run bench [-- CASE…] [--all] [--rounds N] [--json]`: compares the product with its peers.
 *
 * Each case first checks that all contenders return the same correct result, then runs them
 * interleaved for at least 7 rounds, in alternating order, and compares them by the median of the
 * ratios of each round, so that a disturbance affects both sides of a ratio. Long cases run only
 * when they are named, or with `--all`, and in fewer rounds.
 *
 * The table goes to standard output (with `--json` as JSON), progress to standard error. Stores all
 * readings in `bench/results/DATE-COMMIT[-CASES].json`, except those of runs with fewer rounds.
 */
import { parseArgs } from "node:util";
import { cases } from "../cases/index.ts";
import { Unavailable } from "../harness/case.ts";
import { chooseCases } from "../harness/choose-cases.ts";
import { describeEnvironment, environment } from "../harness/environment.ts";
import { counted, formatCase, formatLeftOut } from "../harness/format-table.ts";
import { createProgress } from "../harness/progress.ts";
import { type LeftOut, storeResults } from "../harness/results-folder.ts";
import { MIN_ROUNDS, parseRounds, roundsOption } from "../harness/rounds.ts";
import { type CaseResult, runCase } from "../harness/run-case.ts";

/** Throws a RangeError for invalid arguments, and `WrongResult` for a wrong result. */
export async function measure(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      rounds: roundsOption,
      json: { type: "boolean", default: false },
    },
  });
  const rounds = parseRounds(values.rounds);
  const chosen = chooseCases(cases, positionals, values.all);
  const place = environment(new Date());
  const print = values.json ? () => undefined : console.log;
  print(describeEnvironment(place));

  const results: CaseResult[] = [];
  const leftOut: LeftOut[] = [];
  for (const one of chosen) {
    const progress = createProgress(process.stderr, one.name);
    try {
      const result = await runCase(one, rounds, progress.report);
      results.push(result);
      progress.end();
      print(`\n${formatCase(result)}`);
    } catch (error) {
      progress.end();
      if (!(error instanceof Unavailable)) throw error;
      const { name, number, title } = one;
      const out = { name, ...(number && { number }), title, reason: error.message };
      leftOut.push(out);
      print(`\n${formatLeftOut(out)}`);
    }
  }
  const measured = { environment: place, results, leftOut };
  if (values.json) console.log(JSON.stringify(measured, null, 2));
  if (rounds < MIN_ROUNDS)
    return print(`\nOnly ${counted(rounds, "round")}: a try, which is not kept.`);
  const isWhole = positionals.length === 0;
  const file = await storeResults(
    measured,
    isWhole ? "" : chosen.map(({ name }) => name).join("-"),
  );
  print(`\nKept as bench/results/${file}.`);
}
