/** Paths near the free edges of a domain along which the pictures that meet there differ least. */
import type { CoarsePicture } from "./coarse-picture.ts";
import type { FreeEdge } from "./free-edges.ts";
import { Interpolation } from "./grid.ts";
import { type CostGrid, leastPath, leastSymmetricPath } from "./least-path.ts";

export interface EdgePath {
  readonly edge: FreeEdge;
  /** Distances from the edge, outwards, at equal steps along it, in edges of the cell; 0 at both ends. */
  readonly offsets: Float64Array;
}

/**
 * Returns the paths of one edge of each pair.
 * @param reach beyond which paths do not go, in edges of the cell
 * @param known paths found with fewer nodes, near which these are searched
 */
export function edgePaths(
  edges: readonly FreeEdge[],
  picture: CoarsePicture,
  reach: number,
  known?: readonly EdgePath[],
): readonly EdgePath[] {
  return edges
    .filter(({ partner }, at) => partner >= at)
    .map((edge, at) => {
      const grid = costsAlong(edge, picture, reach, known?.[at]);
      const isSelfGlued = edges[edge.partner] === edge;
      const path = isSelfGlued ? leastSymmetricPath(grid) : leastPath(grid);
      return { edge, offsets: smoothed(Float64Array.from(path, (at) => at * grid.step)) };
    });
}

/** Times that a path is smoothed, so that its steps from column to column do not show. */
const SMOOTHINGS = 3;

/** The ends stay. What is symmetric stays symmetric. */
function smoothed(path: Float64Array): Float64Array {
  let offsets = path;
  for (let time = 0; time < SMOOTHINGS; time++) {
    const last = offsets;
    offsets = last.map((offset, at) =>
      at === 0 || at === last.length - 1 ? 0 : (last[at - 1] + 2 * offset + last[at + 1]) / 4,
    );
  }
  return offsets;
}

/** Weight of differences of gradients beside those of colours. */
const GRADIENTS = 2;

/**
 * Cost of each node that a path shows of what only continues the source, beside squared differences of 0…1 a
 * channel: the source's own edge is better than a wide strip of its mirror image.
 */
const CONTINUED = 0.003;

/** Most nodes between a path and the one that was found with fewer nodes. */
const NEAR = 6;

/** Returns what a cut costs at each point of the grid along an edge. */
function costsAlong(
  { start, length, along, outward, element, slopes }: FreeEdge,
  { grid, colours, isInside }: CoarsePicture,
  limit: number,
  known?: EdgePath,
): CostGrid & { readonly step: number } {
  const rows = Math.max(3, Math.round(length / grid.step) + 1);
  const step = length / (rows - 1);
  const reach = Math.max(1, Math.floor(limit / step));
  const columns = 2 * reach + 1;
  const count = rows * columns;
  const differences = new Float64Array(3 * count);
  const beyond = new Float64Array(3);
  /** For a path through a node, how much between it and the edge only continues the source. */
  const continued = new Float64Array(count);
  const interpolation = new Interpolation(grid);
  const { a, b, c, d, e, f } = element;
  const isContinued = () => 1 - isInside[interpolation.node];
  for (let at = 0, row = 0; row < rows; row++) {
    for (let column = -reach; column <= reach; column++, at++) {
      const x = start.x + (row * along.x + column * outward.x) * step;
      const y = start.y + (row * along.y + column * outward.y) * step;
      interpolation.locate(x, y);
      // Outside the edge it is the domain's own picture that is shown, inside the neighbour's.
      if (column > 0) continued[at] = continued[at - 1] + isContinued();
      interpolation.readColour(colours, differences, 3 * at);
      interpolation.locate(a * x + b * y + e, c * x + d * y + f);
      if (column < 0) continued[at] = isContinued();
      interpolation.readColour(colours, beyond);
      for (let channel = 0; channel < 3; channel++)
        differences[3 * at + channel] -= beyond[channel];
    }
    const middle = at - reach - 1;
    for (let before = middle - 2; before >= at - columns; before--) {
      continued[before] += continued[before + 1];
    }
  }
  const costs = blurred(costsOf(differences, rows, columns), rows, columns);
  for (let at = 0, row = 0; row < rows; row++) {
    const [fromStart, toEnd] = [row, rows - 1 - row];
    const middle = known === undefined ? 0 : Math.round(offsetAt(known, row / (rows - 1)) / step);
    for (let column = -reach; column <= reach; column++, at++) {
      const [atStart, atEnd] = column < 0 ? slopes.inwards : slopes.outwards;
      const isTooFar =
        Math.abs(column) > Math.min(fromStart * atStart, toEnd * atEnd) ||
        (known !== undefined && Math.abs(column - middle) > NEAR);
      costs[at] = isTooFar ? Number.POSITIVE_INFINITY : costs[at] + CONTINUED * continued[at];
    }
  }
  return { rows, reach, costs, step };
}

/** Returns a path's distance from its edge. @param share 0 at the start of the edge, 1 at its end */
function offsetAt({ offsets }: EdgePath, share: number): number {
  const place = share * (offsets.length - 1);
  const before = Math.min(Math.floor(place), offsets.length - 2);
  return offsets[before] + (place - before) * (offsets[before + 1] - offsets[before]);
}

/**
 * Returns the squared difference of two pictures and of the gradients of their lightness.
 * @param differences of red, green and blue, interleaved
 */
function costsOf(differences: Float64Array, rows: number, columns: number): Float64Array {
  const lightness = (at: number) =>
    (differences[3 * at] + differences[3 * at + 1] + differences[3 * at + 2]) / 3;
  const costs = new Float64Array(rows * columns);
  for (let at = 0, row = 0; row < rows; row++) {
    const before = row > 0 ? columns : 0;
    const after = row < rows - 1 ? columns : 0;
    for (let column = 0; column < columns; column++, at++) {
      const left = column > 0 ? 1 : 0;
      const right = column < columns - 1 ? 1 : 0;
      const down = (lightness(at + after) - lightness(at - before)) / 2;
      const across = (lightness(at + right) - lightness(at - left)) / 2;
      let sum = GRADIENTS * (down * down + across * across);
      for (let channel = 3 * at; channel < 3 * at + 3; channel++) sum += differences[channel] ** 2;
      costs[at] = sum;
    }
  }
  return costs;
}

/** Averages by 1 2 1 both ways. */
function blurred(values: Float64Array, rows: number, columns: number): Float64Array {
  const pass = (
    from: Float64Array,
    stride: number,
    length: number,
    position: (at: number) => number,
  ) =>
    from.map((value, at) => {
      const place = position(at);
      const before = from[place > 0 ? at - stride : at];
      const after = from[place < length - 1 ? at + stride : at];
      return (before + 2 * value + after) / 4;
    });
  const down = pass(values, columns, rows, (at) => Math.floor(at / columns));
  return pass(down, 1, columns, (at) => at % columns);
}
