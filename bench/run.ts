/**
 * `npm run bench [-- FILTER…] [--rounds N] [--json]`: measures the product beside its peers.
 *
 * A filter is a case's number or a part of its name. Each case first checks that all contenders
 * give the same right result, then runs them in the same process of events: at least 7 rounds, in
 * alternating order, and compares them by the median of the ratios of each round, so that a busy
 * machine disturbs both sides of a ratio alike. What is fair about a case, and what is not, stands
 * in the case.
 *
 * The table goes to standard output (with `--json` the same as JSON), progress to standard error.
 * All readings are kept in `bench/results/DATE-COMMIT[-CASES].json`. The exit code is 1 when a
 * result is wrong, and 0 when one is only slow: machines are shared.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { cases } from "./cases/index.ts";
import { WrongOutcome } from "./harness/case.ts";
import { chooseCases } from "./harness/choose-cases.ts";
import { environment } from "./harness/environment.ts";
import { formatCase } from "./harness/format-table.ts";
import { createProgress } from "./harness/progress.ts";
import { type CaseResult, runCase } from "./harness/run-case.ts";

const LEAST_ROUNDS = 7;
const RESULTS = new URL("results/", import.meta.url);

await main().catch((error: Error) => {
  const expected = error instanceof RangeError || error instanceof WrongOutcome;
  console.error(`bench: ${expected ? error.message : error.stack}`);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: String(LEAST_ROUNDS) },
      json: { type: "boolean", default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new RangeError(`--rounds: expected a whole number from 1, got "${values.rounds}"`);
  }
  const chosen = chooseCases(cases, positionals);
  const place = environment(new Date());
  const print = values.json ? () => undefined : console.log;
  const { cpu, threads, os, versions, load } = place;
  print(`${cpu}, ${threads} threads, ${os}, Node ${versions.node}, load ${load.toFixed(1)}`);
  if (rounds < LEAST_ROUNDS) print(`Only ${rounds} rounds: a try, not a measurement.`);

  const results: CaseResult[] = [];
  for (const one of chosen) {
    const progress = createProgress(process.stderr, one.name);
    const result = await runCase(one, rounds, progress.report);
    progress.end();
    results.push(result);
    print(`\n${formatCase(result)}`);
  }
  const measured = JSON.stringify({ environment: place, results }, null, 2);
  if (values.json) console.log(measured);
  const part = chosen.length === cases.length ? "" : `-${chosen.map(({ name }) => name).join("-")}`;
  await mkdir(RESULTS, { recursive: true });
  const name = `${place.date.slice(0, 10)}-${place.commit}${part}.json`;
  await writeFile(new URL(name, RESULTS), `${measured}\n`);
}
