/**
 * `npm run bench [-- CASE…]`: compares the product with its peers, and stores all readings in
 * `bench/results/DATE-COMMIT[-CASES].json`.
 */
import { cases } from "../cases/index.ts";
import { chooseCases } from "../harness/choose-cases.ts";
import { createOutput, defineCommand, jsonOption } from "../harness/command.ts";
import { describeEnvironment, environment } from "../harness/environment.ts";
import { counted } from "../harness/format-table.ts";
import { measureCases } from "../harness/measure-cases.ts";
import { storeResults } from "../harness/results-folder.ts";
import { MIN_ROUNDS, parseRounds, roundsOption } from "../harness/rounds.ts";

export const measure = defineCommand({
  name: "measure",
  operands: "[CASE…]",
  summary: "measures cases beside their peers",
  details: `Each case first checks that all contenders return the same correct result, then runs them in turn,
every second round in the opposite order, and compares them by the median of the ratios of each round.
Results of at least ${MIN_ROUNDS} rounds are stored in bench/results.`,
  options: {
    all: { type: "boolean", about: "run the long cases too" },
    rounds: roundsOption(MIN_ROUNDS),
    json: jsonOption,
  },
  async run(filters, values) {
    const rounds = parseRounds(values.rounds);
    const chosen = chooseCases(cases, filters, values.all);
    const place = environment(new Date());
    const output = createOutput(values.json);
    output.print(describeEnvironment(place));
    const measured = {
      environment: place,
      ...(await measureCases(chosen, rounds, output.print)),
    };
    output.json(measured);
    if (rounds < MIN_ROUNDS) {
      return output.print(`\nOnly ${counted(rounds, "round")}: a try, which is not kept.`);
    }
    const part = filters.length === 0 ? "" : chosen.map(({ name }) => name).join("-");
    output.print(`\nKept as bench/results/${await storeResults(measured, part)}.`);
  },
});
