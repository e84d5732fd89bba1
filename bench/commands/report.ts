/**
 * `npm run bench -- report`: writes the generated parts of docs/performance.md, and the plot of
 * growth, from the newest results in `bench/results/`. Text outside the markers is unchanged.
 */
import { readFile, writeFile } from "node:fs/promises";
import { cases } from "../cases/index.ts";
import { drawGrowth } from "../growth/draw.ts";
import { defineCommand } from "../harness/command.ts";
import { storedResults } from "../harness/results-folder.ts";
import { figures, growthTable } from "../report/figures.ts";
import { fillIn } from "../report/markdown.ts";
import { newestFindings, newestGrowth } from "../report/newest.ts";
import { shortfalls, targetsTable } from "../report/targets.ts";

const PAGE = new URL("../../docs/performance.md", import.meta.url);

export const report = defineCommand({
  name: "report",
  operands: "",
  summary: "writes docs/performance.md from the stored results",
  details: "",
  options: {},
  async run() {
    const kept = await storedResults();
    const findings = newestFindings(cases, kept);
    const growth = newestGrowth(kept);
    if (growth !== null) await drawGrowth(growth);
    const page = fillIn(await readFile(PAGE, "utf8"), {
      targets: targetsTable(findings),
      shortfalls: shortfalls(findings),
      figures: figures(findings),
      growth: growth === null ? "Not measured yet." : growthTable(growth),
    });
    await writeFile(PAGE, page);
    console.log("Wrote docs/performance.md.");
  },
});
