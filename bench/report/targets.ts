/** Targets and their measured figures. */
import type { BenchCase, Target } from "../harness/case.ts";
import { describeTarget } from "../harness/format-table.ts";
import { table } from "./markdown.ts";
import type { Finding } from "./newest.ts";

interface Row {
  readonly cells: readonly string[];
  readonly isMissed: boolean;
}

/** A table of all targets, in the order of the cases. */
export function targetsTable(findings: readonly Finding[]): string {
  const header = ["#", "case", "scope", "target", "must", "aim", "measured", ""];
  const rows = rowsOf(findings).map(({ cells }) => cells);
  return table(header, rows, 4);
}

/** The missed targets, a line each. */
export function shortfalls(findings: readonly Finding[]): string {
  const missed = rowsOf(findings).filter(({ isMissed }) => isMissed);
  if (missed.length === 0) return "Nothing that was measured falls short.";
  return missed
    .map(({ cells: [number, name, , target, must, , measured] }) => {
      const which = number === "" ? name : `${number}, ${name}`;
      return `- **${which}**: ${target} ${measured}, must be ${must}.`;
    })
    .join("\n");
}

function rowsOf(findings: readonly Finding[]): Row[] {
  return findings
    .toSorted((a, b) => orderOf(a.benchCase) - orderOf(b.benchCase))
    .flatMap((finding) => finding.benchCase.targets.map((target) => rowOf(finding, target)));
}

/** Cases without a number come last. */
const orderOf = ({ number }: BenchCase) => number ?? Number.POSITIVE_INFINITY;

function rowOf({ benchCase, measured, reason }: Finding, target: Target): Row {
  const { number, name, scope, metrics } = benchCase;
  const { subject, bound, amount } = describeTarget(target, metrics);
  const found = measured?.result.targets.find(
    ({ metric: other, peer }) => other === target.metric && peer === target.peer,
  );
  const verdict = found?.met ? "met" : "**missed**";
  return {
    isMissed: found?.met === false,
    cells: [
      number === undefined ? "" : String(number),
      name,
      scope,
      subject,
      `${bound} ${amount(target.must)}`,
      target.aim === undefined ? "" : `${bound} ${amount(target.aim)}`,
      found === undefined ? absence(measured, reason) : amount(found.reached),
      found === undefined ? "" : verdict,
    ],
  };
}

function absence(measured: Finding["measured"], reason: string | null): string {
  if (measured !== null) return "the peer is not installed";
  return reason ?? "not measured yet";
}
