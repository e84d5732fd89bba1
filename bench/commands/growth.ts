/**
 * `npm run bench -- growth`: milliseconds and peak memory of a tile and of sheets by their size, each
 * render in a new process. Stores the results in `bench/results/DATE-COMMIT-growth.json` and draws
 * them for docs/performance.md.
 */
import { LIMITS } from "../../engine/recipe/index.ts";
import { drawGrowth, GROWTH_PLOT } from "../growth/draw.ts";
import { measureGrowth, sidesUpTo } from "../growth/series.ts";
import { createOutput, defineCommand, jsonOption } from "../harness/command.ts";
import { describeEnvironment, environment } from "../harness/environment.ts";
import { align, formatNumber } from "../harness/format-table.ts";
import { parseWhole } from "../harness/parse-number.ts";
import { createProgress } from "../harness/progress.ts";
import { storeResults } from "../harness/results-folder.ts";
import { parseRounds, roundsOption } from "../harness/rounds.ts";

/** A few are enough, because each is a new process. */
const ROUNDS = 3;
const USUAL_END = 8192;
const { maximum } = LIMITS.surface;

export const growth = defineCommand({
  name: "growth",
  operands: "",
  summary: "measures and draws time and memory by size",
  details: `Sides are 256, 512 … pixels, up to --to, at most ${maximum}. Each render is a process of its own.`,
  options: {
    to: { type: "string", value: "SIDE", default: String(USUAL_END), about: "largest side" },
    rounds: roundsOption(ROUNDS),
    json: jsonOption,
  },
  async run(_, values) {
    const rounds = parseRounds(values.rounds);
    const end = parseWhole("--to", values.to, 256, maximum);
    const place = environment(new Date());
    const output = createOutput(values.json);
    output.print(describeEnvironment(place));
    const progress = createProgress(process.stderr, "growth");
    const grown = await measureGrowth(sidesUpTo(end), rounds, progress.report);
    progress.end();
    for (const { name, points } of grown) {
      const rows = points.map(({ side, ms, megabytes }) => [
        `${side}²`,
        formatNumber(ms.median),
        formatNumber(megabytes.median),
      ]);
      output.print(`\n${name}\n${align([["", "ms", "peak MB over idle"], ...rows]).join("\n")}`);
    }
    const measured = { environment: place, rounds, growth: grown };
    await drawGrowth(measured);
    const file = await storeResults(measured, "growth");
    output.print(`\nKept as bench/results/${file} and drawn as ${GROWTH_PLOT}.`);
    output.json(measured);
  },
});
