/**
 * `npm run bench -- growth [--to SIDE] [--rounds N]`: milliseconds and peak memory of a tile and of
 * sheets by their size, each render in a new process.
 *
 * Sides are 256, 512 … 8192 pixels, or up to `--to`, at most 20000. Stores the results in
 * `bench/results/DATE-COMMIT-growth.json` and draws them for docs/performance.md.
 */
import { parseArgs } from "node:util";
import { LIMITS } from "../../engine/recipe/index.ts";
import { drawGrowth, GROWTH_PLOT } from "../growth/draw.ts";
import { measureGrowth, sidesUpTo } from "../growth/series.ts";
import { describeEnvironment, environment } from "../harness/environment.ts";
import { align, formatNumber } from "../harness/format-table.ts";
import { createProgress } from "../harness/progress.ts";
import { storeResults } from "../harness/results-folder.ts";
import { parseRounds } from "../harness/rounds.ts";

/** A few are enough, because each is a new process. */
const ROUNDS = 3;
const USUAL_END = 8192;

/** Throws a RangeError for invalid arguments. */
export async function growth(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      to: { type: "string", default: String(USUAL_END) },
      rounds: { type: "string", default: String(ROUNDS) },
    },
  });
  const rounds = parseRounds(values.rounds);
  const end = Number(values.to);
  const { maximum } = LIMITS.surface;
  if (!Number.isInteger(end) || end < 256 || end > maximum) {
    throw new RangeError(`--to: expected a side of 256 to ${maximum} pixels, got "${values.to}"`);
  }
  const place = environment(new Date());
  console.log(describeEnvironment(place));
  const progress = createProgress(process.stderr, "growth");
  const grown = await measureGrowth(sidesUpTo(end), rounds, progress.report);
  progress.end();
  for (const { name, points } of grown) {
    const rows = points.map(({ side, ms, megabytes }) => [
      `${side}²`,
      formatNumber(ms.median),
      formatNumber(megabytes.median),
    ]);
    console.log(`\n${name}\n${align([["", "ms", "peak MB over idle"], ...rows]).join("\n")}`);
  }
  const measured = { environment: place, rounds, growth: grown };
  await drawGrowth(measured);
  const file = await storeResults(measured, "growth");
  console.log(`\nKept as bench/results/${file} and drawn as ${GROWTH_PLOT}.`);
}
