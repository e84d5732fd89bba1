/** `npm run bench -- profile CASE`: where a case's time goes, function by function. */
import { rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { cases } from "../cases/index.ts";
import { openSide } from "../compare/open-side.ts";
import { cacheFolder } from "../harness/cache-folder.ts";
import { chooseCases } from "../harness/choose-cases.ts";
import { createOutput, defineCommand, jsonOption } from "../harness/command.ts";
import { counted } from "../harness/format-table.ts";
import { ROOT } from "../harness/git.ts";
import { parsePositive } from "../harness/parse-number.ts";
import { createProgress } from "../harness/progress.ts";
import { openCollector } from "../profile/collector.ts";
import { formatProfile } from "../profile/format-profile.ts";
import { hottestFunctions, summariseThread } from "../profile/summary.ts";

const SECONDS = 5;
const HOTTEST = 10;

export const profile = defineCommand({
  name: "profile",
  operands: "CASE",
  summary: "profiles a case: threads, kernels and the hottest functions",
  details: `Checks and warms the case up, then records all threads of the benchmark and of a server that it starts
while our contenders run. Writes a .cpuprofile for each thread, for a browser's developer tools.`,
  options: {
    seconds: {
      type: "string",
      value: "N",
      default: String(SECONDS),
      about: "at least so long, and at least one round",
    },
    json: jsonOption,
  },
  async run(operands, values) {
    const seconds = parsePositive("--seconds", values.seconds);
    const { name, title, long } = onlyCase(operands);
    const output = createOutput(values.json);
    const progress = createProgress(process.stderr, name);
    const collector = await openCollector();
    try {
      const side = await openSide(ROOT, collector.env);
      try {
        progress.report("preparing and checking");
        const contenders = await side.request({ kind: "prepare", name });
        const round = async () => {
          for (const contender of contenders) await side.request({ kind: "run", contender });
        };
        progress.report("warming up");
        if (long === undefined) await round();
        await collector.start();
        const start = performance.now();
        let rounds = 0;
        progress.report("recording");
        for (; rounds === 0 || performance.now() - start < 1000 * seconds; rounds++) await round();
        const elapsedMs = performance.now() - start;
        const profiles = await collector.stop();
        await side.request({ kind: "close" });
        progress.end();

        // Names contain process ids, so those of earlier runs would stay.
        await rm(await cacheFolder(join("profiles", name)), { recursive: true });
        const folder = await cacheFolder(join("profiles", name));
        const files: string[] = [];
        for (const { thread, profile } of profiles) {
          const path = join(folder, `${thread.replaceAll(" ", "-")}.cpuprofile`);
          await writeFile(path, JSON.stringify(profile));
          files.push(relative(ROOT, path));
        }
        const threads = profiles.map(summariseThread);
        const functions = hottestFunctions(profiles, HOTTEST);
        const took = `${counted(rounds, "round")} in ${(elapsedMs / 1000).toFixed(1)} s`;
        output.print(`${title}\n${took}\n\n${formatProfile(threads, functions)}`);
        output.print(`\nProfiles:\n${files.map((file) => `  ${file}`).join("\n")}`);
        output.json({ name, title, rounds, elapsedMs, threads, functions, files });
      } finally {
        side.end();
      }
    } finally {
      await collector.close();
    }
  },
});

function onlyCase(operands: readonly string[]) {
  const chosen = operands.length === 0 ? [] : chooseCases(cases, operands);
  const [first] = chosen;
  if (chosen.length === 1) return first;
  const which = chosen.map(({ name }) => name).join(", ");
  throw new RangeError(
    chosen.length === 0
      ? "profile: expected a case; `npm run bench -- list` shows them"
      : `profile: expected one case, got ${which}`,
  );
}
