/**
 * Rosettes: patterns under a finite group of rotations, or of rotations and mirrors, about one point. The fundamental
 * domain is a wedge. The unit of the plane is the rosette's diameter.
 */
import { MOST_REACH } from "../recipe/check-rosette.ts";
import type { Lattice, Rosette } from "../recipe/index.ts";
import { type Affine, compose, IDENTITY, type Point, rotation, translation } from "./affine.ts";
import { type Corner, clip, type Domain, joinedOf, type Neighbour, neighbour } from "./domain.ts";
import type { Isometries } from "./isometries.ts";
import { planeGroup } from "./plane-groups.ts";

/** A rosette in place of a lattice. */
export interface RosetteLattice extends Lattice {
  readonly rosette: Rosette;
  /** Side of the square that is shown, in whole diameters. Its centre is the rosette's. */
  readonly side: number;
}

/** Distance of the domain's centre from the rosette's, in diameters: half of a radius. */
const AXIS = 0.25;

/**
 * Radius of what the domain covers, in diameters: of the square around a disc, or of all that a sheet may show. It
 * determines the seam, which is thus the same for all sheets.
 */
const COVERED = { disc: Math.SQRT1_2, sheet: MOST_REACH } as const;

/** Sides of the polygon around a disc. */
const SIDES = 48;

/** Returns the isometries of a rosette: rotations about the middle of its square, perhaps with mirrors. */
function rosetteIsometries({ rosette, side }: RosetteLattice): Isometries {
  const middle = { x: side / 2, y: side / 2 };
  const turns = Array.from({ length: rosette.fold }, (_, k) => rotation((360 * k) / rosette.fold));
  const mirror: Affine = { ...IDENTITY, a: -1 };
  const mirrored = rosette.mirrors ? turns.map((turn) => compose(turn, mirror)) : [];
  return {
    group: planeGroup("p1"),
    cosets: [...turns, ...mirrored].map((map) =>
      compose(translation(middle.x, middle.y), map, translation(-middle.x, -middle.y)),
    ),
    basis: [
      { x: 1, y: 0 },
      { x: 0, y: 1 },
    ],
    translates: false,
    period: { width: side, height: side },
    middle,
  };
}

/** Returns the domain of a rosette. */
export function rosetteDomain(
  lattice: RosetteLattice,
): Domain & { readonly frame: readonly Point[] } {
  const { rosette } = lattice;
  const { fold, mirrors } = rosette;
  const isometries = rosetteIsometries(lattice);
  const { cosets, middle } = isometries;
  // A wedge points upwards, or begins at the upper half of a mirror.
  const along = mirrors ? Math.PI / (2 * fold) : 0;
  const distance = cosets.length === 1 ? 0 : AXIS;
  const toMiddle = { x: -distance * Math.sin(along), y: distance * Math.cos(along) };
  const centre = { x: middle.x - toMiddle.x, y: middle.y - toMiddle.y };
  const neighbours = cosets
    .slice(1)
    .map((coset) =>
      neighbour(compose(translation(-centre.x, -centre.y), coset, translation(centre.x, centre.y))),
    )
    .sort((p, q) => p.distance - q.distance);
  const wedgeWithin = (radius: number): Corner[] => {
    let polygon = discAround(toMiddle, radius);
    for (const one of neighbours) polygon = clip(polygon, one.excess, one);
    return polygon;
  };
  const corners = wedgeWithin(COVERED[rosette.shape]);
  const { joined, isMirror } = joinedOf(neighbours);
  const rim = { element: IDENTITY, excess: NEVER, distance: 1 - 2 * distance, mirror: true };
  return {
    isometries,
    centre,
    corners,
    frame: wedgeWithin(0.5),
    edges: corners.map(({ behind }) => (behind ? { ...behind, mirror: isMirror(behind) } : rim)),
    joined,
  };
}

/** The excess of the rim: beyond it lies no other copy. */
const NEVER: Neighbour["excess"] = { x: 0, y: 0, k: 1 };

/** Returns a polygon around a disc. */
function discAround({ x, y }: Point, radius: number): Corner[] {
  const outer = radius / Math.cos(Math.PI / SIDES);
  return Array.from({ length: SIDES }, (_, k) => {
    const angle = (2 * Math.PI * (k + 0.5)) / SIDES;
    return { x: x + outer * Math.cos(angle), y: y + outer * Math.sin(angle) };
  });
}
