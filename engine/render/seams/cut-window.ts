/** The window of a cut seam: which copies of the picture a point may show, and their depths there. */
import { NOWHERE } from "../../../shaders/deepest-copy.ts";
import { type Affine, compose, IDENTITY, translation } from "../../geometry/affine.ts";
import type { AffineFunction, Domain } from "../../geometry/domain.ts";
import { boxOf, type Window, type WindowElement } from "../../geometry/window.ts";
import { type CutSeam, DEPTH_NODES } from "./cut-seam.ts";
import { toNodes } from "./grid.ts";
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

/** Numbers of all tables of a seam: of depths, red, green and blue. */
export const TABLES_LENGTH = 4 * TABLE_NODES ** 2;

/** Writes the tables of a seam, as `shaders/deepest-copy.ts` reads them. */
export function writeTables({ grid, depths, correction }: CutSeam, into: Float32Array): void {
  const { width, height } = grid;
  const length = TABLE_NODES ** 2;
  into.fill(NOWHERE, 0, length).fill(0, length, TABLES_LENGTH);
  for (const [at, values] of [depths, ...(correction ?? [])].entries()) {
    for (let row = 0; row < height; row++) {
      const start = at * length + (row + 1) * TABLE_NODES + 1;
      into.set(values.subarray(row * width, (row + 1) * width), start);
    }
  }
}
