/** Finds the plane group of a picture, and the position of a claimed group in it. */
import { PLANE_GROUPS, type PlaneGroup } from "../geometry/plane-groups.ts";
import type { GroupName } from "../recipe.ts";
import { isOfGroup, outcomeOfFit } from "./check-operations.ts";
import { couldHold, type Fit, fitGroup } from "./fit-group.ts";
import type { Surveyed } from "./image-statistics.ts";
import { type Cell, cellPixels, cellsOf, sublattices, type TorusLattice } from "./lattice.ts";
import { HOLDS, SMALL_CELL } from "./tolerance.ts";

/**
 * A subgroup may have larger cells than the picture: pgg lies in cmm with twice its primitive
 * cell, in pmm with four of them. Larger ones bring no other group.
 */
const MOST_LARGER = 4;

/** A picture's group, and whether it could be a larger one as well. */
export interface Found {
  readonly fit: Fit;
  /** A larger group of which too little can be seen to tell; null where there is none. */
  readonly doubtful: GroupName | null;
}

/** The largest group whose operations all hold; p1 at the least. */
export async function findGroup(ground: Surveyed, checkpoint: () => Promise<void>): Promise<Found> {
  let doubtful: GroupName | null = null;
  const orders = [...new Set(PLANE_GROUPS.map(({ positions }) => positions.length))];
  for (const order of orders.sort((one, other) => other - one)) {
    await checkpoint();
    const fits = PLANE_GROUPS.filter(({ positions }) => positions.length === order)
      .flatMap((group) => likelyFits(ground, group, ground.lattice))
      .sort((one, other) => one.worst - other.worst);
    let likely: GroupName | null = null;
    for (const fit of fits) {
      await checkpoint();
      const outcome = outcomeOfFit(ground, fit);
      if (outcome === "holds") return { fit, doubtful };
      if (outcome === "doubtful") likely ??= fit.group.name;
    }
    doubtful ??= likely;
  }
  throw new Error("p1 holds for every picture");
}

/** A group on each of the cells that the picture's translations allow. */
export function fitsOn(
  ground: Surveyed,
  group: PlaneGroup,
  mostStrain = ground.strainTolerance,
): Fit[] {
  return cellsOf(ground.lattice, group, ground.size, mostStrain).map((cell) =>
    fitGroup(ground, group, cell),
  );
}

/**
 * Where a claimed group lies in a picture whose group is another one: on the picture's own
 * translations or on fewer of them. What is made of operations of the picture's group holds with
 * these. Null where an operation fails in all places.
 */
export function findSubgroup(ground: Surveyed, { fit: whole }: Found, group: PlaneGroup) {
  for (const lattice of sublattices(ground.lattice, MOST_LARGER, ground.size)) {
    const found = likelyFits(ground, group, lattice).find(
      (fit) =>
        fit.operations.every(({ map }) => isOfGroup(ground, whole, map)) ||
        outcomeOfFit(ground, fit) === "holds",
    );
    if (found) return found;
  }
  return null;
}

function likelyFits(ground: Surveyed, group: PlaneGroup, lattice: TorusLattice): Fit[] {
  return cellsOf(lattice, group, ground.size, ground.strainTolerance)
    .filter((cell) => couldBe(ground, group, cell))
    .map((cell) => fitGroup(ground, group, cell));
}

/** In a small cell the waves alone refute nothing. */
function couldBe(ground: Surveyed, group: PlaneGroup, cell: Cell): boolean {
  return (
    cellPixels(cell, group.centred, ground.size) < SMALL_CELL ||
    couldHold(ground, group, cell, HOLDS)
  );
}

/** Of several fits that in which the fewest operations fail, and by the least. */
export function nearestOf(fits: readonly Fit[]): Fit | undefined {
  const failures = ({ operations }: Fit) =>
    operations.filter(({ relativeError }) => relativeError > HOLDS).length;
  const sum = ({ operations }: Fit) =>
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
