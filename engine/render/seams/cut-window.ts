/** The window of a cut seam: which copies of the picture a point may show, and their depths there. */
import { type Affine, compose, IDENTITY } from "../../geometry/affine.ts";
import type { AffineFunction, Domain } from "../../geometry/domain.ts";
import { boxOf, type Window, type WindowElement } from "../../geometry/window.ts";
import { type CutSeam, within } from "./cut-seam.ts";
import { toNodes } from "./grid.ts";

/**
 * The window of a cut: all elements whose picture may be the deepest one somewhere in D. Their factors
 * are maps from D to columns and rows of the seam's depths.
 */
export function cutWindow(domain: Domain, { reach, neighbours, grid }: CutSeam): Window {
  const windowElement = (element: Affine, where: readonly AffineFunction[]): WindowElement => {
    const { a, b, c, d, e, f } = compose(toNodes(grid), element);
    const factors = [
      { limit: 0, f: { x: a, y: b, k: e } },
      { limit: 0, f: { x: c, y: d, k: f } },
    ] as const;
    return { element, factors, where };
  };
  const box = boxOf(domain.corners);
  return {
    elements: [
      windowElement(IDENTITY, []),
      ...neighbours.map((neighbour) =>
        windowElement(neighbour.element, [within(neighbour, reach)]),
      ),
    ],
    showsDeepest: true,
    box: {
      min: { x: box.min.x - reach, y: box.min.y - reach },
      max: { x: box.max.x + reach, y: box.max.y + reach },
    },
  };
}
