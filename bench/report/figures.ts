/** Measured figures, case by case. */
import { describeEnvironment } from "../harness/environment.ts";
import { counted, formatNumber } from "../harness/format-table.ts";
import type { Growth } from "../harness/results-folder.ts";
import type { CaseResult, ContenderResult } from "../harness/run-case.ts";
import { table } from "./markdown.ts";
import type { Finding } from "./newest.ts";

/** A section for each measured case: task, fairness, medians. */
export function figures(findings: readonly Finding[]): string {
  return findings
    .flatMap(({ benchCase, measured }) => (measured === null ? [] : [{ benchCase, ...measured }]))
    .map(({ benchCase: { number, scope }, result, file, environment }) => {
      const { title, fairness, rounds, notes, versions } = result;
      const peers = Object.entries(versions).map((version) => version.join(" "));
      const place = `${describeEnvironment(environment)}; commit ${environment.commit}`;
      return [
        `### ${number === undefined ? "" : `${number}. `}${title}`,
        scope === "kernel figure" ? `A kernel figure. ${fairness}` : fairness,
        caseTable(result),
        `${[counted(rounds, "round"), ...peers, ...notes].join("; ")}. [${file}](../bench/results/${file}): ${place}.`,
      ].join("\n\n");
    })
    .join("\n\n");
}

function caseTable({ metrics, contenders }: CaseResult): string {
  const hasPeers = contenders.some(({ ours }) => !ours);
  const header = [
    "",
    ...metrics.map(({ unit }) => unit),
    ...(hasPeers ? ["we are better by"] : []),
  ];
  const rows = contenders.map((contender) => [
    contender.name,
    ...metrics.map(({ name }) => cell(contender, name)),
    ...(hasPeers ? [times(contender, metrics[0].name)] : []),
  ]);
  return table(header, rows);
}

/** The median, and the quartiles if they differ from it. */
function cell({ metrics }: ContenderResult, name: string): string {
  const { median, lowerQuartile, upperQuartile } = metrics[name];
  const [middle, low, high] = [median, lowerQuartile, upperQuartile].map(formatNumber);
  return low === high ? middle : `${middle} (${low}…${high})`;
}

const times = ({ ratios }: ContenderResult, metric: string) =>
  ratios === null ? "" : `${formatNumber(ratios[metric])}×`;

/** The figures of the plot as a table. */
export function growthTable({
  growth,
  rounds,
  environment,
  file,
}: Growth & { readonly file: string }): string {
  const sides = [...new Set(growth.flatMap(({ points }) => points.map(({ side }) => side)))];
  const rows = sides
    .toSorted((a, b) => a - b)
    .map((side) => [
      `${side}²`,
      ...growth.map(({ points }) => {
        const point = points.find((one) => one.side === side);
        if (point === undefined) return "";
        return `${formatNumber(point.ms.median)} ms, ${formatNumber(point.megabytes.median)} MB`;
      }),
    ]);
  const place = `${describeEnvironment(environment)}; commit ${environment.commit}`;
  return [
    table(["", ...growth.map(({ name }) => name)], rows),
    `Medians of ${counted(rounds, "run")}. [${file}](../bench/results/${file}): ${place}.`,
  ].join("\n\n");
}
