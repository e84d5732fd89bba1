/** Which test files run, and in which process. */
import { execFile } from "node:child_process";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { testFiles } from "../helpers/run-together.ts";

const ROOT = join(import.meta.dirname, "../..");

const filesOf = (pattern: string) => Array.fromAsync(glob(pattern, { cwd: ROOT }));

t.test("every test file runs once: by itself, in a suite, or in the long tests", async (t) => {
  const tap = join(ROOT, "node_modules/.bin/tap");
  const { stdout } = await promisify(execFile)(tap, ["list"], { cwd: ROOT });
  const alone = stdout.split("\n").filter((file) => file.endsWith(".test.ts"));
  const suites = await Promise.all(
    (await filesOf("test/{suites,soak}/*.test.ts")).map(async (suite) => {
      const text = await readFile(join(ROOT, suite), "utf8");
      const call = /runTogether\("([^"]+)"(?:, \{ part: (\d+), of: (\d+) \})?\)/.exec(text);
      if (call === null) return [];
      const [, folder, part = "1", of = "1"] = call;
      return testFiles(`${folder}`, { part: Number(part), of: Number(of) });
    }),
  );
  const run = [...alone, ...suites.flat(), ...(await filesOf("test/{faults,soak}/*.test.ts"))];
  t.ok(suites.filter((files) => files.length > 0).length > 10);
  t.strictSame(run.toSorted(), (await filesOf("test/**/*.test.ts")).toSorted());
});
