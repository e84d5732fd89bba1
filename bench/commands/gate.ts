/** `npm run bench -- gate [REF] [CASE…]`: passes or fails, for CI. */
import { cases } from "../cases/index.ts";
import { formatComparison } from "../compare/format-comparison.ts";
import {
  type CaseComparison,
  type Comparison,
  openComparison,
} from "../compare/open-comparison.ts";
import {
  confirmed,
  type Failure,
  missedTargets,
  slowerRows,
  unjudgedTargets,
} from "../gate/failures.ts";
import { caseNames, chooseCases, selects } from "../harness/choose-cases.ts";
import { createOutput, defineCommand, jsonOption } from "../harness/command.ts";
import { describeEnvironment, environment } from "../harness/environment.ts";
import { measureCases } from "../harness/measure-cases.ts";
import { parseRounds, roundsOption } from "../harness/rounds.ts";
import type { CaseResult } from "../harness/run-case.ts";
import { COMPARE_ROUNDS } from "./compare.ts";

const TOLERANCE = 2;

/** With fewer rounds a ratio has no interval. */
const MIN_COMPARE_ROUNDS = 6;

export const gate = defineCommand({
  name: "gate",
  operands: "[REF] [CASE…]",
  summary: "fails if a target is missed or a case is slower than REF, for CI",
  details: `The exit code is 1 if a "must" is missed, or if the 95 % interval of a case's ratio to REF lies below 1 by
more than --tolerance. A case that fails runs a second time and counts only if it fails again. The first
operand is REF unless it selects a case.`,
  options: {
    rounds: roundsOption(COMPARE_ROUNDS),
    tolerance: {
      type: "string",
      value: "PERCENT",
      default: String(TOLERANCE),
      about: "by how much a case may be slower than REF",
    },
    json: jsonOption,
  },
  async run(operands, values) {
    const rounds = parseRounds(values.rounds);
    const tolerance = parsePercent(values.tolerance);
    const { reference, filters } = splitOperands(operands);
    const chosen = chooseCases(cases, filters);
    const output = createOutput(values.json);
    const place = environment(new Date());
    output.print(describeEnvironment(place));
    const results: CaseResult[] = [];
    const comparisons: CaseComparison[] = [];
    const failures: Failure[] = [];
    const notChecked = new Set<string>();
    if (reference !== null && rounds < MIN_COMPARE_ROUNDS) {
      throw new RangeError(`--rounds: a comparison needs ${MIN_COMPARE_ROUNDS} or more`);
    }
    const comparison: Comparison | null =
      reference === null ? null : await openComparison(reference).catch(explain);
    try {
      for (const one of chosen) {
        const missed = await confirmed(async () => {
          const measured = await measureCases([one], rounds, output.print);
          results.push(...measured.results);
          for (const { name, reason } of measured.leftOut) notChecked.add(`${name}: ${reason}`);
          for (const result of measured.results) {
            for (const target of unjudgedTargets(one, result)) notChecked.add(target);
          }
          return measured.results.flatMap(missedTargets);
        });
        failures.push(...missed);
        if (comparison === null) continue;
        const slower = await confirmed(async () => {
          const compared = await comparison.compare(one, rounds);
          comparisons.push(compared);
          if (compared.leftOut !== undefined) {
            notChecked.add(`${one.name} against ${comparison.commit}: ${compared.leftOut}`);
          }
          output.print(`\n${formatComparison(compared, comparison.commit)}`);
          return slowerRows(one, compared, comparison.commit, tolerance);
        });
        failures.push(...slower);
      }
    } finally {
      comparison?.close();
    }
    const passed = failures.length === 0;
    const lines = failures.map((one) => `  ${one.case}: ${one.subject}: ${one.found}`);
    const unknown = [...notChecked].map((what) => `  ${what}`);
    if (unknown.length > 0) unknown.unshift("Not checked:");
    output.print(["", ...unknown, passed ? "Passed." : "Failed:", ...lines].join("\n"));
    const checks = { passed, failures, notChecked: [...notChecked] };
    output.json({ environment: place, ...checks, results, comparisons });
    if (!passed) process.exitCode = 1;
  },
});

/** The first operand is a commit unless it selects a case. */
export function splitOperands(operands: readonly string[]) {
  const [first, ...rest] = operands;
  return first === undefined || selects(cases, first)
    ? { reference: null, filters: operands }
    : { reference: first, filters: rest };
}

/** Whoever mistypes a case names a commit that does not exist. */
function explain(error: unknown): never {
  if (!(error instanceof RangeError)) throw error;
  throw new RangeError(`${error.message}, and no case matches it; there are: ${caseNames(cases)}`);
}

function parsePercent(given: string): number {
  const percent = Number(given);
  if (given.trim() === "" || !(percent >= 0 && percent < 100)) {
    throw new RangeError(`--tolerance: expected a percentage from 0 to below 100, got "${given}"`);
  }
  return percent / 100;
}
