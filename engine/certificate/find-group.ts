/** Finds the plane group of a picture, and the position of a claimed group in it. */
import { PLANE_GROUPS, type PlaneGroup } from "../geometry/plane-groups.ts";
import type { GroupName } from "../recipe/index.ts";
import { isOfGroup, outcomeOfFit } from "./check-operations.ts";
import { couldHold, fitGroup, type GroupFit } from "./fit-group.ts";
import type { ImageStatistics } from "./image-statistics.ts";
import {
  type ConventionalCell,
  cellPixels,
  conventionalCells,
  sublattices,
  type TorusLattice,
} from "./lattice.ts";
import { MAX_RELATIVE_ERROR, SMALL_CELL_PIXELS } from "./tolerance.ts";

/**
 * Largest index of sublattices to search. A subgroup may have larger cells than the picture: pgg is a
 * subgroup of cmm with twice its primitive cell, and of pmm with four of them. Larger indices add no
 * other group.
 */
const MAX_SUBLATTICE_INDEX = 4;

/** The plane group of a picture. */
export interface PictureGroup {
  readonly fit: GroupFit;
  /** A larger group that the pixels neither confirm nor refute; null if there is none. */
  readonly possibleSupergroup: GroupName | null;
}

/** Finds the largest group whose operations all hold; at least p1. */
export async function findGroup(
  statistics: ImageStatistics,
  checkpoint: () => Promise<void>,
): Promise<PictureGroup> {
  let possibleSupergroup: GroupName | null = null;
  const orders = [...new Set(PLANE_GROUPS.map(({ positions }) => positions.length))];
  for (const order of orders.sort((one, other) => other - one)) {
    await checkpoint();
    const fits = PLANE_GROUPS.filter(({ positions }) => positions.length === order)
      .flatMap((group) => likelyFits(statistics, group, statistics.lattice))
      .sort((one, other) => one.worst - other.worst);
    let likely: GroupName | null = null;
    for (const fit of fits) {
      await checkpoint();
      const outcome = outcomeOfFit(statistics, fit);
      if (outcome === "holds") return { fit, possibleSupergroup };
      if (outcome === "doubtful") likely ??= fit.group.name;
    }
    possibleSupergroup ??= likely;
  }
  throw new Error("p1 holds for every picture");
}

/** Fits a group on each conventional cell that the picture's lattice allows. */
export function fitsOnLattice(
  statistics: ImageStatistics,
  group: PlaneGroup,
  mostStrain = statistics.strainTolerance,
): GroupFit[] {
  return conventionalCells(statistics.lattice, group, statistics.size, mostStrain).map((cell) =>
    fitGroup(statistics, group, cell),
  );
}

/**
 * Fits a claimed group in a picture of another group, on the picture's lattice or a sublattice of it.
 * A fit of operations of the picture's group holds without further checks. Returns null if an
 * operation fails at every origin.
 */
export function findSubgroup(
  statistics: ImageStatistics,
  { fit: whole }: PictureGroup,
  group: PlaneGroup,
) {
  for (const lattice of sublattices(statistics.lattice, MAX_SUBLATTICE_INDEX, statistics.size)) {
    const found = likelyFits(statistics, group, lattice).find(
      (fit) =>
        fit.operations.every(({ map }) => isOfGroup(statistics, whole, map)) ||
        outcomeOfFit(statistics, fit) === "holds",
    );
    if (found) return found;
  }
  return null;
}

function likelyFits(
  statistics: ImageStatistics,
  group: PlaneGroup,
  lattice: TorusLattice,
): GroupFit[] {
  return conventionalCells(lattice, group, statistics.size, statistics.strainTolerance)
    .filter((cell) => couldBe(statistics, group, cell))
    .map((cell) => fitGroup(statistics, group, cell));
}

/** Whether a group may hold on a cell; in a small cell the spectrum alone refutes nothing. */
function couldBe(statistics: ImageStatistics, group: PlaneGroup, cell: ConventionalCell): boolean {
  return (
    cellPixels(cell, group.centred, statistics.size) < SMALL_CELL_PIXELS ||
    couldHold(statistics, group, cell, MAX_RELATIVE_ERROR)
  );
}

/** Returns the fit with the fewest failing operations, then with the least total error. */
export function bestFitOf(fits: readonly GroupFit[]): GroupFit | undefined {
  const failures = ({ operations }: GroupFit) =>
    operations.filter(({ relativeError }) => relativeError > MAX_RELATIVE_ERROR).length;
  const sum = ({ operations }: GroupFit) =>
    operations.reduce((total, { relativeError }) => total + relativeError, 0);
  return fits.toSorted((one, other) => failures(one) - failures(other) || sum(one) - sum(other))[0];
}

export const T_SUPERGROUPS: Readonly<Record<GroupName, readonly GroupName[]>> = {
  p1: ["p2", "pm", "pg", "cm", "p3"],
  p2: ["pmm", "pmg", "pgg", "cmm", "p4", "p6"],
  pm: ["pmm", "pmg"],
  pg: ["pmg", "pgg"],
  cm: ["cmm", "p3m1", "p31m"],
  pmm: ["p4m"],
  pmg: [],
  pgg: ["p4g"],
  cmm: ["p4m", "p4g", "p6m"],
  p4: ["p4m", "p4g"],
  p4m: [],
  p4g: [],
  p3: ["p3m1", "p31m", "p6"],
  p3m1: ["p6m"],
  p31m: ["p6m"],
  p6: ["p6m"],
  p6m: [],
};
