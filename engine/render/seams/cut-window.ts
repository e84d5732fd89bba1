/** The window of a cut seam: which copies of the picture a point may show, and their depths there. */
import { type Affine, compose, IDENTITY, translation } from "../../geometry/affine.ts";
import type { AffineFunction, Domain } from "../../geometry/domain.ts";
import { boxOf, type Window, type WindowElement } from "../../geometry/window.ts";
import { DEPTH_NODES } from "./cut-seam.ts";
import { type NodeGrid, toNodes } from "./grid.ts";
import { type CutDomain, within } from "./owners.ts";

/** Nodes by which an element is compared beyond where it may be shown: depths are interpolated. */
const BEYOND = 2;

/**
 * The window of a cut: all elements whose picture may be the deepest one somewhere in D, or about as deep. Their
 * factors are maps from D to columns and rows of the table of depths.
 * @param edgesPerPixel edges from one output pixel to the next
 */
export function cutWindow(
  domain: Domain,
  { reach, neighbours, grid }: CutDomain,
  edgesPerPixel: number,
): Window {
  const toTable = compose(translation(1, 1), toNodes(grid));
  const windowElement = (element: Affine, where: readonly AffineFunction[]): WindowElement => {
    const { a, b, c, d, e, f } = compose(toTable, element);
    const factors = [
      { limit: 0, f: { x: a, y: b, k: e } },
      { limit: 0, f: { x: c, y: d, k: f } },
    ] as const;
    return { element, factors, where };
  };
  const compared = reach + edgesPerPixel + BEYOND * grid.step;
  return {
    elements: [
      windowElement(IDENTITY, []),
      ...neighbours.map((neighbour) =>
        windowElement(neighbour.element, [within(neighbour, compared)]),
      ),
    ],
    box: boxOf(domain.corners, reach + edgesPerPixel),
  };
}

/** Nodes along a side of a seam's tables: those of the largest grid, and one beyond them at each end. */
export const TABLE_NODES = DEPTH_NODES + 2;

/** Depth beyond the grid, where no copy is shown from. */
export const NOWHERE = -1000;

/**
 * Writes the table of values at the nodes of a seam's grid.
 * @param beyond value beyond the grid
 */
export function writeTable(
  { width, height }: NodeGrid,
  values: Float32Array,
  beyond: number,
  table: Float32Array,
): void {
  table.fill(beyond);
  for (let row = 0; row < height; row++) {
    table.set(values.subarray(row * width, (row + 1) * width), (row + 1) * TABLE_NODES + 1);
  }
}
