/**
 * `npm run bench -- growth [--to SIDE] [--rounds N]`: how the cost of a tile and of sheets grows with
 * their size, in milliseconds and in peak memory over idle, each render in a process of its own.
 *
 * Sides are 256, 512 … 8192 pixels, or up to `--to`, 20000 at the most. Readings are kept in
 * `bench/results/DATE-COMMIT-growth.json` and drawn for docs/performance.md.
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

/** Processes are begun anew for each: a few are enough. */
const ROUNDS = 3;
const USUAL_END = 8192;

/** Throws a RangeError for arguments that are wrong. */
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
