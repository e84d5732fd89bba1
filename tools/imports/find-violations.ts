/** Checks the imports of a tree against the import rules. */
import { findCycles } from "./find-cycles.ts";
import type { ImportRules } from "./import-rules.ts";
import type { Boundary, Layer } from "./layer.ts";
import type { ImportEdge, ImportGraph } from "./read-imports.ts";

/** A forbidden import. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  /** The imported module, and each violated rule with its reason. */
  readonly message: string;
}

interface BrokenRule {
  readonly rule: string;
  readonly reason: string;
}

/** Returns every import that violates a rule, in the order of the files, then the cycles. */
export function findViolations(graph: ImportGraph, rules: ImportRules): Violation[] {
  const violations: Violation[] = [];
  for (const edge of [...graph.values()].flat()) {
    const broken = [
      ...rules.layers.filter((reach) => oversteps(edge, reach)).map(reachRule),
      ...rules.boundaries.filter((boundary) => breaksInto(edge, boundary)).map(houseRule),
    ];
    if (broken.length > 0) violations.push(violation(edge, broken));
  }
  for (const cycle of findCycles(graph)) violations.push(violation(cycle[0], [cycleRule(cycle)]));
  return violations;
}

function oversteps(edge: ImportEdge, reach: Layer): boolean {
  const may = edge.typeOnly ? [...reach.may, ...(reach.mayTypes ?? [])] : reach.may;
  return within(edge.file, reach.from) && !within(edge.target, may);
}

function breaksInto(edge: ImportEdge, boundary: Boundary): boolean {
  return (
    within(edge.target, boundary.internal) &&
    !within(edge.target, boundary.publicApi) &&
    !within(edge.file, boundary.allowedImporters)
  );
}

/** Whether a place contains a path: one that ends in `/` or `:` contains everything that starts with it. */
function within(path: string, places: readonly string[]): boolean {
  return places.some((place) => (/[/:]$/.test(place) ? path.startsWith(place) : path === place));
}

function reachRule({ from, may, mayTypes, reason }: Layer): BrokenRule {
  const types = mayTypes === undefined ? "" : `, and types of ${list(mayTypes)}`;
  return { rule: `${list(from)} may import only ${list(may)}${types}`, reason };
}

function houseRule({ internal, publicApi, allowedImporters, reason }: Boundary): BrokenRule {
  const hint = publicApi.length > 0 ? `; others import ${list(publicApi)}` : "";
  return {
    rule: `${list(internal)} may be imported only by ${list(allowedImporters)}${hint}`,
    reason,
  };
}

function cycleRule(cycle: readonly ImportEdge[]): BrokenRule {
  return {
    rule: `no cycles: ${[cycle[0].file, ...cycle.map((edge) => edge.target)].join(" → ")}`,
    reason: "files in a cycle can only be understood, tested and moved together",
  };
}

function violation({ file, line, target }: ImportEdge, broken: readonly BrokenRule[]): Violation {
  const rules = broken.map(({ rule, reason }) => `\n    rule: ${rule}\n    reason: ${reason}`);
  return { file, line, message: `imports ${target}${rules.join("")}` };
}

function list(places: readonly string[]): string {
  return places.join(", ");
}
