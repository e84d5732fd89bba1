/** A comparison as a table. */
import { align, formatNumber } from "../harness/format-table.ts";
import { quantile } from "../harness/statistics.ts";
import type { CaseComparison } from "./open-comparison.ts";

/** Formats a case's rows: medians of both sides, ratio, interval and verdict. */
export function formatComparison({ title, rows, leftOut }: CaseComparison, commit: string): string {
  if (leftOut !== undefined) return `${title}\n  left out: ${leftOut}`;
  const header = ["", "", commit, "here", "ratio", "95 % interval", "verdict"];
  const cells = rows.map(({ contender, metric, before, after, median, interval, verdict }) => [
    contender,
    metric.unit,
    formatNumber(quantile(before, 0.5)),
    formatNumber(quantile(after, 0.5)),
    `${formatNumber(median)}×`,
    interval === null ? "" : `${formatNumber(interval[0])}…${formatNumber(interval[1])}`,
    verdict,
  ]);
  return [title, ...align([header, ...cells])].join("\n");
}
