/** Test files in one process: to start a process for each takes longer than many of them do. */
import { glob } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";

const ROOT = join(import.meta.dirname, "../..");

/** Which of several processes runs a file: number `part`, from 1, of `of`. */
interface Share {
  readonly part: number;
  readonly of: number;
}

/** Returns the paths of the test files of a folder, or of a share of them. Throws if there are none. */
export async function testFiles(folder: string, { part, of }: Share = { part: 1, of: 1 }) {
  const all = await Array.fromAsync(glob(`test/${folder}/**/*.test.ts`, { cwd: ROOT }));
  const files = all.toSorted().filter((_, at) => at % of === part - 1);
  if (files.length === 0) throw new Error(`no test files in test/${folder}`);
  return files;
}

/** Runs the test files of a folder, or a share of them, one after the other. */
export async function runTogether(folder: string, share?: Share): Promise<void> {
  for (const file of await testFiles(folder, share)) {
    // Within a test, because tap ends once it has nothing to do. The file's own tests follow it.
    await t.test(file, async (t) => {
      await import(join(ROOT, file));
      t.pass("has loaded");
    });
  }
}
