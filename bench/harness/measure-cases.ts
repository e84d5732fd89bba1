/** Measures several cases, one after the other. */
import { type BenchCase, Unavailable } from "./case.ts";
import { formatCase, formatLeftOut } from "./format-table.ts";
import { createProgress } from "./progress.ts";
import type { LeftOut, Measured } from "./results-folder.ts";
import { type CaseResult, runCase } from "./run-case.ts";

/**
 * Runs cases; those that this machine cannot run are left out with the reason. Throws `WrongResult`.
 * @param print receives each case's table when it is done
 */
export async function measureCases(
  cases: readonly BenchCase[],
  rounds: number,
  print: (table: string) => void,
): Promise<Required<Pick<Measured, "results" | "leftOut">>> {
  const results: CaseResult[] = [];
  const leftOut: LeftOut[] = [];
  for (const one of cases) {
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
  return { results, leftOut };
}
