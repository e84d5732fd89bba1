/** Results as a table. */
import type { Metric, Target } from "./case.ts";
import type { LeftOut } from "./results-folder.ts";
import type { CaseResult, ContenderResult, TargetResult } from "./run-case.ts";
import type { Spread } from "./statistics.ts";

/** Formats a case's results: a headline, a line for each contender, targets and notes. */
export function formatCase(result: CaseResult): string {
  const { metrics, contenders, targets, notes, long, rounds } = result;
  const hasPeers = contenders.some(({ ours }) => !ours);
  const header = [
    "",
    ...metrics.flatMap(({ unit }, index) => (index === 0 ? [unit, "quartiles"] : [unit])),
    ...(hasPeers ? ["we are better by"] : []),
  ];
  const rows = contenders.map((contender) => [
    contender.name,
    ...metrics.flatMap(({ name }, index) => cells(contender.metrics[name], index === 0)),
    ...(hasPeers ? [times(contender, metrics[0].name)] : []),
  ]);
  return [
    `${numberOf(result)}${result.title}`,
    ...(long === undefined ? [] : [`  only when named, ${counted(rounds, "round")}: ${long}`]),
    ...align([header, ...rows]),
    ...targets.map((target) => formatTarget(target, result)),
    ...notes.map((note) => `  note: ${note}`),
  ].join("\n");
}

/** Formats a case that could not run. */
export function formatLeftOut(leftOut: LeftOut): string {
  return `${numberOf(leftOut)}${leftOut.title}\n  left out: ${leftOut.reason}`;
}

const numberOf = ({ number }: { readonly number?: number }) =>
  number === undefined ? "" : `${number}. `;

/** Returns, for example, `1 round` or `2 rounds`. */
export const counted = (count: number, thing: string) =>
  `${count} ${thing}${count === 1 ? "" : "s"}`;

function cells({ median, lowerQuartile, upperQuartile }: Spread, quartiles: boolean): string[] {
  const middle = formatNumber(median);
  return quartiles
    ? [middle, `${formatNumber(lowerQuartile)}…${formatNumber(upperQuartile)}`]
    : [middle];
}

function times({ ratios }: ContenderResult, metric: string): string {
  return ratios === null ? "" : `${formatNumber(ratios[metric])}×`;
}

function formatTarget(target: TargetResult, { metrics }: CaseResult): string {
  const { amount } = describeTarget(target, metrics);
  return `  ${targetLine(target, metrics)}: ${amount(target.reached)}, ${target.met ? "met" : "MISSED"}`;
}

export interface TargetText {
  /** The metric, and the peer if there is one. */
  readonly subject: string;
  readonly bound: "≤" | "≥";
  /** Formats a value of the metric, or a ratio. */
  amount(value: number): string;
}

export function describeTarget(
  { metric: name, peer }: Target,
  metrics: readonly Metric[],
): TargetText {
  const metric = metrics.find((one) => one.name === name);
  const unit = String(metric?.unit);
  return {
    subject: peer === undefined ? unit : `${unit} against ${peer}`,
    bound: peer === undefined && metric?.better === "lower" ? "≤" : "≥",
    amount: (value) => `${formatNumber(value)}${peer === undefined ? "" : "×"}`,
  };
}

/** Returns, for example, `ms against sharp ≥ 5.00×, aim ≥ 10.0×`. */
export function targetLine(target: Target, metrics: readonly Metric[]): string {
  const { subject, bound, amount } = describeTarget(target, metrics);
  const aim = target.aim === undefined ? "" : `, aim ${bound} ${amount(target.aim)}`;
  return `${subject} ${bound} ${amount(target.must)}${aim}`;
}

/** Formats three significant digits, and all digits before the point. */
export function formatNumber(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toFixed(Math.min(digits, 6));
}

/** Pads columns to their widest cell: the first is left-aligned, numbers are right-aligned. */
export function align(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => {
    const padded = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    return `  ${padded.join("  ")}`.trimEnd();
  });
}
