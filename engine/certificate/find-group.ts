/** The group of a picture, and the place of a claimed group in it. */
import { PLANE_GROUPS, type PlaneGroup } from "../geometry/plane-groups.ts";
import { cellsOf } from "./cells.ts";
import { couldHold, type Fit, fitGroup } from "./fit.ts";
import type { Surveyed } from "./ground.ts";
import { HOLDS } from "./tolerance.ts";
import { sublattices, type TorusLattice } from "./torus-lattice.ts";

/**
 * A subgroup may have larger cells than the picture: pgg lies in cmm with twice its primitive
 * cell, in pmm with four of them. Larger ones bring no other group.
 */
const MOST_LARGER = 4;

/** Whether all operations of a fit hold, in the mean and in every place. */
function holds({ local, localTolerance }: Surveyed, { worst, operations }: Fit): boolean {
  return worst <= HOLDS && operations.every(({ map }) => local(map).error <= localTolerance);
}

/** The largest group whose operations all hold; p1 at the least. */
export function findGroup(ground: Surveyed): Fit {
  const orders = [...new Set(PLANE_GROUPS.map(({ positions }) => positions.length))];
  for (const order of orders.sort((one, other) => other - one)) {
    const fits = PLANE_GROUPS.filter(({ positions }) => positions.length === order)
      .flatMap((group) => likelyFits(ground, group, ground.lattice))
      .filter((fit) => fit.worst <= HOLDS)
      .sort((one, other) => one.worst - other.worst);
    const found = fits.find((fit) => holds(ground, fit));
    if (found) return found;
  }
  throw new Error("p1 holds for every picture");
}

/** A group on each of the cells that the picture's translations allow. */
export function fitsOn(ground: Surveyed, group: PlaneGroup): Fit[] {
  return cellsOf(ground.lattice, group, ground.size).map((cell) => fitGroup(ground, group, cell));
}

/**
 * Where a claimed group lies in a picture whose group is another one: on the picture's own
 * translations or on fewer of them. Null where an operation fails in all places.
 */
export function findSubgroup(ground: Surveyed, group: PlaneGroup): Fit | null {
  for (const lattice of sublattices(ground.lattice, MOST_LARGER, ground.size)) {
    const found = likelyFits(ground, group, lattice).find((fit) => holds(ground, fit));
    if (found) return found;
  }
  return null;
}

function likelyFits(ground: Surveyed, group: PlaneGroup, lattice: TorusLattice): Fit[] {
  return cellsOf(lattice, group, ground.size)
    .filter((cell) => couldHold(ground, group, cell, HOLDS))
    .map((cell) => fitGroup(ground, group, cell));
}

/** Of several fits that in which the fewest operations fail, and by the least. */
export function nearestOf(fits: readonly Fit[]): Fit | undefined {
  const failures = ({ operations }: Fit) =>
    operations.filter(({ relativeError }) => relativeError > HOLDS).length;
  const sum = ({ operations }: Fit) =>
    operations.reduce((total, { relativeError }) => total + relativeError, 0);
  return fits.toSorted((one, other) => failures(one) - failures(other) || sum(one) - sum(other))[0];
}
