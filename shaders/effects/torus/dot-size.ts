/** The size of round dots that gives a tone. */
import type { Basis } from "./block-lattice.ts";

/** Steps in which areas are added up over the radius. */
const STEPS = 2048;

/**
 * Returns the radius at which dots on all points of a lattice cover a share 0…1 of the plane, their
 * overlaps counted once. Unit of lengths: that of the basis.
 *
 * Dots have an edge that falls linearly over `softness`, so the coverage of a pixel at distance d
 * from the nearest point by a dot of radius r is clamp(½ + (r − d) / softness). With H(d), the
 * share of a block that is nearer than d to its middle, the mean of that is
 *     (1 / softness) · ∫ H over r − softness/2 … r + softness/2,
 * exact for dots smaller than a pixel, whose radius is negative then, and for those that leave only
 * corners of the paper free.
 */
export function radiusForCoverage(basis: Basis, softness: number): (coverage: number) => number {
  const { outermost, sums } = nearSums(basis);
  const step = outermost / STEPS;
  // ∫ H from 0 to a distance: from the sums, between them linear, beyond them H = 1.
  const integral = (distance: number) => {
    if (distance <= 0) return 0;
    if (distance >= outermost) return sums[STEPS] + distance - outermost;
    const at = Math.floor(distance / step);
    return sums[at] + (sums[at + 1] - sums[at]) * (distance / step - at);
  };
  const radii = Float64Array.from(
    { length: STEPS + 1 },
    (_, k) => -softness / 2 + (k / STEPS) * (outermost + softness),
  );
  const coverages = radii.map(
    (radius) => (integral(radius + softness / 2) - integral(radius - softness / 2)) / softness,
  );
  return (coverage) => {
    let below = 0;
    let above = STEPS;
    while (above - below > 1) {
      const middle = (below + above) >> 1;
      if (coverages[middle] <= coverage) below = middle;
      else above = middle;
    }
    const rise = coverages[above] - coverages[below];
    const part = rise > 0 ? Math.min(Math.max((coverage - coverages[below]) / rise, 0), 1) : 1;
    return radii[below] + (radii[above] - radii[below]) * part;
  };
}

/**
 * ∫ H at each step up to the distance of a block's corners, which lie all on one circle. Of the
 * circle of radius ρ about a block's middle, the arcs beyond the six bisectors are not in it.
 */
function nearSums([a, b]: Basis) {
  const area = Math.abs(a.x * b.y - a.y * b.x);
  const sides = [
    Math.hypot(a.x, a.y),
    Math.hypot(b.x, b.y),
    Math.hypot(a.x - b.x, a.y - b.y),
  ] as const;
  const outermost = (sides[0] * sides[1] * sides[2]) / (2 * area);
  const step = outermost / STEPS;
  const arc = (radius: number) =>
    sides.reduce(
      (angle, side) => angle - 4 * Math.acos(Math.min(side / 2 / radius, 1)),
      2 * Math.PI,
    );
  const sums = new Float64Array(STEPS + 1);
  let near = 0;
  for (let k = 0; k < STEPS; k++) {
    const radius = (k + 0.5) * step;
    const ring = (radius * Math.max(arc(radius), 0) * step) / area;
    sums[k + 1] = sums[k] + (near + ring / 2) * step;
    near += ring;
  }
  return { outermost, sums };
}
