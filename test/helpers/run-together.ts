/** Test files in one process: to start a process for each takes longer than many of them do. */
import { glob } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";

const TESTS = join(import.meta.dirname, "..");

/** Runs the test files of a folder, one after the other. Throws if there are none. */
export async function runTogether(folder: string): Promise<void> {
  const files = await Array.fromAsync(glob(`${folder}/**/*.test.ts`, { cwd: TESTS }));
  if (files.length === 0) throw new Error(`no test files in test/${folder}`);
  for (const file of files.toSorted()) {
    await import(join(TESTS, file));
    // It has its turn when the tests before it have ended.
    await t.test(`test/${file}`, async (t) => t.pass("has ended"));
  }
}
