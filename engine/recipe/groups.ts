/** The names of the plane groups: apart from the schemas, because the editor's page has no use for those. */
import { keysOf } from "../../shaders/lib/keys-of.ts";

export type LatticeKind = "oblique" | "rectangular" | "square" | "hexagonal";

/** Lattices of the 17 plane groups by short names, in the order of the International Tables. */
export const GROUP_LATTICES = {
  p1: "oblique",
  p2: "oblique",
  pm: "rectangular",
  pg: "rectangular",
  cm: "rectangular",
  pmm: "rectangular",
  pmg: "rectangular",
  pgg: "rectangular",
  cmm: "rectangular",
  p4: "square",
  p4m: "square",
  p4g: "square",
  p3: "hexagonal",
  p3m1: "hexagonal",
  p31m: "hexagonal",
  p6: "hexagonal",
  p6m: "hexagonal",
} as const satisfies Record<string, LatticeKind>;

export type GroupName = keyof typeof GROUP_LATTICES;

export const GROUP_NAMES = keysOf(GROUP_LATTICES);
