/** Each target over the stored results. */
import type { BenchCase, Target } from "../harness/case.ts";
import type { StoredResults } from "../harness/results-folder.ts";
import type { CaseResult } from "../harness/run-case.ts";

export interface TrendPoint {
  /** Short hash, or `worktree`. */
  readonly commit: string;
  /** Milliseconds since 1970 of the commit, or of the measurement if git does not know it. */
  readonly date: number;
  readonly value: number;
  readonly file: string;
}

/** A target's values on one machine, by commit date. */
export interface Trend {
  readonly name: string;
  readonly number?: number;
  readonly target: Target;
  readonly metrics: BenchCase["metrics"];
  /** Processor and number of threads. */
  readonly machine: string;
  readonly better: "lower" | "higher";
  readonly points: readonly TrendPoint[];
}

/**
 * Returns the trends of all targets that have been measured. Results of a case with another title
 * measured something else and are ignored.
 * @param commitDate returns a commit's milliseconds since 1970, or null
 */
export function trendsOf(
  cases: readonly BenchCase[],
  kept: readonly StoredResults[],
  commitDate: (commit: string) => number | null,
): Trend[] {
  const measured = kept.flatMap(({ file, content }) =>
    "results" in content ? [{ file, ...content }] : [],
  );
  const machineOf = ({ environment }: (typeof measured)[number]) =>
    `${environment.cpu}, ${environment.threads} threads`;
  const machines = [...new Set(measured.map(machineOf))];
  return cases.flatMap((one) =>
    one.targets.flatMap((target) =>
      machines.flatMap((machine): Trend[] => {
        const points = measured
          .filter((run) => machineOf(run) === machine)
          .flatMap(({ file, environment: { commit, date }, results }) => {
            const value = valueIn(results, one, target);
            if (value === null) return [];
            return [{ commit, date: commitDate(commit) ?? Date.parse(date), value, file }];
          })
          .toSorted((a, b) => a.date - b.date);
        if (points.length === 0) return [];
        const { name, number, metrics } = one;
        const numbered = number === undefined ? {} : { number };
        return [
          { name, ...numbered, target, metrics, machine, better: betterOf(one, target), points },
        ];
      }),
    ),
  );
}

function valueIn(
  results: readonly CaseResult[],
  { name, title }: BenchCase,
  { metric, peer }: Target,
): number | null {
  const result = results.find((one) => one.name === name && one.title === title);
  const found = result?.targets.find((one) => one.metric === metric && one.peer === peer);
  return found?.reached ?? null;
}

/** A ratio to a peer says how many times better we are. */
function betterOf({ metrics }: BenchCase, { metric, peer }: Target): Trend["better"] {
  if (peer !== undefined) return "higher";
  return metrics.find(({ name }) => name === metric)?.better ?? "lower";
}

/** Returns by what share the newest value is worse than the best one; 0 if it is the best. */
export function lossOf({ points, better }: Pick<Trend, "points" | "better">): number {
  const values = points.map(({ value }) => value);
  const newest = values[values.length - 1];
  const best = better === "lower" ? Math.min(...values) : Math.max(...values);
  if (newest === best) return 0;
  return better === "lower" ? newest / best - 1 : 1 - newest / best;
}
