/** The window of a cut seam: which copies of the picture a point may show, and their depths there. */
import { NOWHERE } from "../../../shaders/deepest-copy.ts";
import { type Affine, compose, IDENTITY, type Point, translation } from "../../geometry/affine.ts";
import { type AffineFunction, type Domain, valueAt } from "../../geometry/domain.ts";
import { boxOf, type SetGrid, type Window, type WindowElement } from "../../geometry/window.ts";
import { type CutSeam, DEPTH_NODES } from "./cut-seam.ts";
import { toNodes } from "./grid.ts";
import { type CutDomain, within } from "./owners.ts";

/** Nodes along a side of the squares for which it is decided which elements are compared there. */
const SQUARE_NODES = 4;

/** Nodes by which an element is compared beyond where it may be shown: depths are interpolated. */
const BEYOND = 2;

/**
 * The window of a cut: all elements whose picture may be the deepest one somewhere in D, or about as deep. Their
 * factors are maps from D to columns and rows of the table of depths.
 * @param edgesPerPixel edges from one output pixel to the next
 */
export function cutWindow(domain: Domain, seam: CutDomain, edgesPerPixel: number): Window {
  const { reach, neighbours, grid } = seam;
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
  const elements = [
    windowElement(IDENTITY, []),
    ...neighbours.map((neighbour) =>
      windowElement(neighbour.element, [within(neighbour, compared)]),
    ),
  ];
  return {
    elements,
    grid: setsOf(domain, seam, elements, edgesPerPixel),
    box: boxOf(domain.corners, reach + edgesPerPixel),
  };
}

/** Part of a node within which kernels may round a position. */
const ROUNDING = 0.01;

/**
 * Returns which elements kernels compare in the squares of a grid over D. An element is left out of a square if another
 * one is deeper by half a pixel all over it: kernels mix those that are less than that less deep.
 */
function setsOf(
  { corners, edges }: Domain,
  seam: CutDomain,
  elements: readonly WindowElement[],
  edgesPerPixel: number,
): SetGrid {
  const { min, max } = boxOf(corners);
  const side = SQUARE_NODES * seam.grid.step;
  const width = Math.ceil((max.x - min.x) / side);
  const height = Math.ceil((max.y - min.y) / side);
  const outline = edges.map(({ excess }) => excess);
  const softness = edgesPerPixel / 2 + ROUNDING * seam.grid.step;
  const sets = new Float64Array(width * height);
  const greatest = new Float64Array(elements.length);
  for (let square = 0; square < sets.length; square++) {
    const centre = {
      x: min.x + ((square % width) + 0.5) * side,
      y: min.y + (Math.floor(square / width) + 0.5) * side,
    };
    greatest.fill(Number.NEGATIVE_INFINITY);
    let deepest = Number.NEGATIVE_INFINITY;
    const isShown = outline.every((f) => isPositiveNear(f, centre, side));
    for (let n = 0; isShown && n < elements.length; n++) {
      const { factors, where } = elements[n];
      if (!where.every((f) => isPositiveNear(f, centre, side))) continue;
      const range = rangeOfDepths(seam, factors, centre, side / 2);
      greatest[n] = range.greatest;
      deepest = Math.max(deepest, range.least);
    }
    for (let n = 0; n < elements.length; n++) {
      if (greatest[n] > deepest - softness) sets[square] += 2 ** n;
    }
    // Outside D, where rounding may put a pixel of its edge.
    sets[square] ||= 1;
  }
  return { min, side, width, height, sets };
}

/** Whether a function is > 0 anywhere in the square of twice that side, which also holds what rounding puts beside one. */
const isPositiveNear = (f: AffineFunction, centre: Point, side: number) =>
  valueAt(f, centre) + (Math.abs(f.x) + Math.abs(f.y)) * side > 0;

/** Returns the least and the greatest depth of an element in a square, as they are interpolated. */
function rangeOfDepths(
  { grid: { width, height }, depths }: CutDomain,
  [{ f: u }, { f: v }]: WindowElement["factors"],
  centre: Point,
  half: number,
) {
  // The table has a row and a column before the grid's.
  const column = valueAt(u, centre) - 1;
  const row = valueAt(v, centre) - 1;
  const across = (Math.abs(u.x) + Math.abs(u.y)) * half + ROUNDING;
  const along = (Math.abs(v.x) + Math.abs(v.y)) * half + ROUNDING;
  const left = Math.floor(column - across);
  const right = Math.floor(column + across) + 1;
  const upper = Math.floor(row - along);
  const lower = Math.floor(row + along) + 1;
  const isInside = left >= 0 && upper >= 0 && right < width && lower < height;
  let least = isInside ? Number.POSITIVE_INFINITY : NOWHERE;
  let greatest = NOWHERE;
  for (let at = Math.max(upper, 0); at <= Math.min(lower, height - 1); at++) {
    const last = at * width + Math.min(right, width - 1);
    for (let node = at * width + Math.max(left, 0); node <= last; node++) {
      if (depths[node] < least) least = depths[node];
      if (depths[node] > greatest) greatest = depths[node];
    }
  }
  return { least, greatest };
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
