/** Compares cases of the working tree with those of another commit. */
import type { BenchCase } from "../harness/case.ts";
import { ROOT } from "../harness/git.ts";
import { createProgress } from "../harness/progress.ts";
import { type ComparisonRow, compareSides } from "./ab-comparison.ts";
import { openSide, type Side } from "./open-side.ts";
import { checkOut } from "./worktree.ts";

export interface CaseComparison {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly ComparisonRow[];
  /** Why there are no rows. */
  readonly leftOut?: string;
}

export interface Comparison {
  /** Short hash of the other commit. */
  readonly commit: string;
  /** Runs a case on both sides. One that the other commit lacks or that fails is left out. */
  compare(one: BenchCase, rounds: number): Promise<CaseComparison>;
  /** Ends both sides and deletes the worktree. */
  close(): void;
}

/** Checks out `reference` and starts both sides. Throws a RangeError if git does not know it. */
export async function openComparison(reference: string): Promise<Comparison> {
  const progress = createProgress(process.stderr, "compare");
  const { folder, commit, remove } = checkOut(reference, progress.report);
  const sides: Side[] = [];
  // The terminal sends the signal to the children too, which end with this process.
  const interrupted = () => {
    remove();
    process.exit(130);
  };
  process.once("SIGINT", interrupted);
  const close = () => {
    for (const side of sides) side.end();
    remove();
    process.off("SIGINT", interrupted);
  };
  try {
    progress.report("starting both sides");
    const before = await openSide(folder);
    sides.push(before);
    const after = await openSide(ROOT);
    sides.push(after);
    const old = await before.request({ kind: "cases" });
    progress.end();
    return {
      commit,
      close,
      async compare({ name, title, metrics }, rounds) {
        const same = old.find((other) => other.name === name);
        const leftOut = (why: string) => ({ name, title, rows: [], leftOut: why });
        if (same === undefined) return leftOut(`${commit} has no such case`);
        if (same.title !== title)
          return leftOut(`${commit} measures something else: ${same.title}`);
        const running = createProgress(process.stderr, name);
        try {
          const facts = { name, title, metrics };
          const rows = await compareSides({ before, after }, facts, rounds, running.report);
          return { name, title, rows };
        } catch (error) {
          // Further lines are the server's log.
          const [why = ""] = (error as Error).message.split("\n");
          return leftOut(why);
        } finally {
          running.end();
        }
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}
