/** Selects the newest stored results. */
import type { BenchCase } from "../harness/case.ts";
import type { Environment } from "../harness/environment.ts";
import type { Growth, LeftOut, StoredResults } from "../harness/results-folder.ts";
import type { CaseResult } from "../harness/run-case.ts";

/** The file and environment of a result. */
interface Origin {
  readonly file: string;
  readonly environment: Environment;
}

/** The newest result of a case. */
export interface Finding {
  readonly benchCase: BenchCase;
  readonly measured: ({ readonly result: CaseResult } & Origin) | null;
  /** Why there is no result, if a run has recorded a reason. */
  readonly reason: string | null;
}

/**
 * Returns each case's newest result. A result with another title measured something else and is
 * ignored.
 * @param kept oldest first
 */
export function newestFindings(
  cases: readonly BenchCase[],
  kept: readonly StoredResults[],
): Finding[] {
  return cases.map((benchCase) => {
    const isSame = ({ name, title }: LeftOut | CaseResult) =>
      name === benchCase.name && title === benchCase.title;
    let measured: Finding["measured"] = null;
    let reason: string | null = null;
    for (const { file, content } of kept) {
      if (!("results" in content)) continue;
      const result = content.results.find(isSame);
      if (result) measured = { result, file, environment: content.environment };
      reason = content.leftOut?.find(isSame)?.reason ?? reason;
    }
    return { benchCase, measured, reason };
  });
}

/** Returns the newest measurement of growth, or null. */
export function newestGrowth(
  kept: readonly StoredResults[],
): (Growth & { readonly file: string }) | null {
  const grown = kept.flatMap(({ file, content }) =>
    "growth" in content ? [{ ...content, file }] : [],
  );
  return grown.at(-1) ?? null;
}
