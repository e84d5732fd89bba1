/** Where the fundamental domain lies on the source: for editors, which draw it. Geometry alone. */
import { apply, type Point } from "./geometry/affine.ts";
import { domainOfDesign } from "./geometry/counterchange.ts";
import type { Design } from "./recipe/index.ts";
import { placeMotif } from "./render/placement.ts";
import type { Size } from "./size.ts";

/** Returns the corners of the domain in pixels of the source. */
export function motifOutline(
  { group, lattice, motif }: Pick<Design, "group" | "lattice" | "motif">,
  source: Size,
): readonly Point[] {
  const { corners } = domainOfDesign({ group, lattice, counterchange: null });
  const toSource = placeMotif(corners, motif, source);
  return corners.map((corner) => apply(toSource, corner));
}
