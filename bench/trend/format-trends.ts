/** Trends as a table with a line of bars for each target. */
import { textColumns } from "../harness/command.ts";
import { describeTarget, formatNumber } from "../harness/format-table.ts";
import { baselineOf, lossOf, type Trend } from "./trends.ts";

const BARS = "▁▂▃▄▅▆▇█";

/** Share of its largest value that a line spans at least, so that noise looks small. */
const LEAST_SPAN = 0.25;

/** A loss of this share is marked: repeated runs of one commit differ by less. */
const MARKED_LOSS = 0.1;

/** Formats a table for each machine. Bars rise where a figure improves. */
export function formatTrends(trends: readonly Trend[]): string {
  const machines = [...new Set(trends.map(({ machine }) => machine))];
  return machines
    .map((machine) => {
      const rows = trends.filter((trend) => trend.machine === machine).map(rowOf);
      const header = [
        "#",
        "case",
        "target",
        "must",
        "baseline",
        "newest",
        "",
        "over time",
        "commits",
      ];
      return [machine, ...textColumns([header, ...rows])].join("\n");
    })
    .join("\n\n");
}

function rowOf(trend: Trend): string[] {
  const { number, name, target, metrics, points, better } = trend;
  const { subject, bound, amount } = describeTarget(target, metrics);
  const values = points.map(({ value }) => value);
  const baseline = baselineOf(trend);
  const loss = lossOf(trend);
  const commits = points.map(({ commit }) => commit);
  return [
    number === undefined ? "" : String(number),
    name,
    subject,
    `${bound} ${amount(target.must)}`,
    baseline === null ? "" : amount(baseline),
    amount(values[values.length - 1]),
    loss > MARKED_LOSS ? `worse by ${formatNumber(100 * loss)} %` : "",
    bars(values, better),
    commits.length === 1 ? commits[0] : `${commits[0]} … ${commits[commits.length - 1]}`,
  ];
}

/** Returns a bar for each value, higher for better ones. */
export function bars(values: readonly number[], better: Trend["better"]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(high - low, LEAST_SPAN * Math.abs(high)) || 1;
  // The values stay in the middle of a span that is wider than they are.
  const from = (low + high - span) / 2;
  return values
    .map((value) => {
      const height = (value - from) / span;
      const at = Math.floor(BARS.length * (better === "lower" ? 1 - height : height));
      return BARS[Math.min(BARS.length - 1, Math.max(0, at))];
    })
    .join("");
}
