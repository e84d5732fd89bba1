/** Checks what depends on a design's group. */
import type { ValidationIssue } from "../errors.ts";
import { COUNTERCHANGES, type Counterchange, type Design, GROUP_LATTICES } from "./index.ts";

export type GroupFields = "group" | "lattice" | "counterchange";

/** Returns what of a design's lattice and counterchange its group cannot have. */
export function groupIssues({
  group,
  lattice,
  counterchange,
}: Pick<Design, GroupFields>): ValidationIssue[] {
  const kind = GROUP_LATTICES[group];
  const issues: ValidationIssue[] = [];
  if (lattice.repeat !== "straight" && kind !== "oblique") {
    issues.push({
      path: "/lattice/repeat",
      message: `${group} repeats straight; half_drop and brick are for p1 and p2`,
      expected: "straight",
      received: lattice.repeat,
    });
  }
  if (lattice.ratio !== 1 && (kind === "square" || kind === "hexagonal")) {
    issues.push({
      path: "/lattice/ratio",
      message: `the cell of ${group} is ${kind}; a ratio is for the oblique and rectangular groups`,
      expected: "1",
      received: String(lattice.ratio),
    });
  }
  const names: readonly Counterchange[] = COUNTERCHANGES[group];
  if (counterchange && !names.includes(counterchange)) {
    issues.push({
      path: "/counterchange",
      message: names.length
        ? `${group} has no counterchange of this name`
        : `no operation of ${group} can exchange colours`,
      expected: ["null", ...names].join(", "),
      received: counterchange,
    });
  }
  return issues;
}
