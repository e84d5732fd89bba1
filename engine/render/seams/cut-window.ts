/** The window of a cut seam: which copies of the picture a point may show, and their depths there. */
import { compose, IDENTITY } from "../../geometry/affine.ts";
import type { Domain } from "../../geometry/domain.ts";
import { boxOf, type Window } from "../../geometry/window.ts";
import { beyondReach, type CutSeam } from "./cut-seam.ts";
import { toNodes } from "./grid.ts";

/**
 * The window of a cut: all elements whose picture may be the deepest one somewhere in D. Their factors
 * are maps from D to columns and rows of the seam's depths.
 */
export function cutWindow(domain: Domain, { reach, neighbours, grid }: CutSeam): Window {
  const elements = [IDENTITY, ...neighbours.map(({ element }) => element)].map((element) => {
    const { a, b, c, d, e, f } = compose(toNodes(grid), element);
    const factors = [
      { limit: 0, f: { x: a, y: b, k: e } },
      { limit: 0, f: { x: c, y: d, k: f } },
    ] as const;
    return { element, factors };
  });
  const box = boxOf(domain.corners);
  return {
    elements,
    inside: neighbours.map((neighbour) => beyondReach(neighbour, reach)),
    box: {
      min: { x: box.min.x - reach, y: box.min.y - reach },
      max: { x: box.max.x + reach, y: box.max.y + reach },
    },
  };
}
