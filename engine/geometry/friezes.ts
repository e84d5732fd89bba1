/**
 * Friezes as strips of wallpaper patterns between two mirrors. The isometries that map such a strip onto itself form a
 * frieze group, and at a mirror no seam is needed: the picture ends there as it is.
 */
import type { FriezeName, GroupName, Lattice } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import { type Affine, apply, compose, invert, type Point, scaling, translation } from "./affine.ts";

/** The lattice of the wallpaper pattern that a strip is part of. */
export interface StripLattice extends Lattice {
  /** Swapped where mirrors across the cell's edge a have to lie along the strip. */
  readonly axes: "standard" | "swapped";
  /** Length of the cell's edge a in heights of the strip, which are the unit of the plane. */
  readonly edge: number;
  /** Where the motif should be. */
  readonly middle: Point;
}

interface FriezeRow {
  readonly group: GroupName;
  readonly axes: StripLattice["axes"];
  /** Share of the cell that the strip covers across, and where it begins in it. */
  readonly share: number;
  readonly start: number;
}

const ROWS: Readonly<Record<FriezeName, FriezeRow>> = {
  p1: { group: "pm", axes: "swapped", share: 0.5, start: 0 },
  p211: { group: "pmg", axes: "swapped", share: 0.5, start: 0.25 },
  p1m1: { group: "pmm", axes: "standard", share: 0.5, start: 0 },
  p11m: { group: "pm", axes: "swapped", share: 1, start: -0.5 },
  p11g: { group: "cm", axes: "swapped", share: 0.5, start: 0 },
  p2mm: { group: "pmm", axes: "standard", share: 1, start: -0.5 },
  p2mg: { group: "cmm", axes: "standard", share: 0.5, start: 0 },
};

/** A frieze as a part of a wallpaper pattern. */
export interface FriezeStrip {
  readonly group: GroupName;
  readonly lattice: StripLattice;
  /** From the strip's frame, with its origin at the top left, to the plane of the pattern, whose unit is its height. */
  readonly toPlane: Affine;
}

/**
 * Returns the strip of a frieze group.
 * @param repeat its length before it repeats, and its height, in any unit
 */
export function friezeStrip(name: FriezeName, repeat: Size): FriezeStrip {
  const { group, axes, share, start } = ROWS[name];
  const [along, across] = [repeat.width, repeat.height / share];
  const [edge, other] = axes === "standard" ? [along, across] : [across, along];
  const { height } = repeat;
  const toStrip = compose(scaling(height, height), translation(0, (-start * across) / height));
  const toPlane = invert(toStrip);
  // Half of a strip with a mirror along it shows the motif, the other half its mirror image.
  const middle = apply(toPlane, {
    x: repeat.width / 2,
    y: height * (share === 1 ? 0.75 : 0.5),
  });
  const ratio = other / edge;
  const lattice = { ratio, repeat: "straight", axes, edge: edge / height, middle } as const;
  return { group, lattice, toPlane };
}
