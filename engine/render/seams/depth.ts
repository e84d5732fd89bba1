/** How deep points lie inside a domain whose free edges are paths. */
import type { Affine, Point } from "../../geometry/affine.ts";
import type { EdgePath } from "./edge-paths.ts";
import type { FreeEdge } from "./free-edges.ts";
import { type NodeGrid, nodeAt } from "./grid.ts";

/** Returns the depths of a grid's nodes in edges of the cell, negative outside. */
export function depthsOf(
  grid: NodeGrid,
  edges: readonly FreeEdge[],
  paths: readonly EdgePath[],
): Float32Array {
  const measures = edges.map((edge) => {
    const own = paths.find((path) => path.edge === edge);
    if (own !== undefined) return depthAt(own);
    // The partner's path, seen from its other side.
    const partner = paths.find((path) => path.edge === edges[edge.partner]) as EdgePath;
    const depth = depthAt(partner);
    const { a, b, c, d, e, f }: Affine = edge.element;
    return ({ x, y }: Point) => -depth({ x: a * x + b * y + e, y: c * x + d * y + f });
  });
  const depths = new Float32Array(grid.width * grid.height);
  for (let node = 0, row = 0; row < grid.height; row++) {
    for (let column = 0; column < grid.width; column++, node++) {
      const point = nodeAt(grid, column, row);
      let least = Number.POSITIVE_INFINITY;
      for (const measure of measures) least = Math.min(least, measure(point));
      depths[node] = least;
    }
  }
  return depths;
}

/** Returns the function that measures how far a point lies on the inner side of a path, about. */
function depthAt({ edge: { start, length, along, outward }, offsets }: EdgePath) {
  const last = offsets.length - 1;
  const step = length / last;
  return ({ x, y }: Point) => {
    const [dx, dy] = [x - start.x, y - start.y];
    const place = Math.min(Math.max((dx * along.x + dy * along.y) / step, 0), last);
    const before = Math.min(Math.floor(place), last - 1);
    const rise = offsets[before + 1] - offsets[before];
    const offset = offsets[before] + (place - before) * rise;
    const outwards = dx * outward.x + dy * outward.y;
    return (offset - outwards) / Math.sqrt(1 + (rise / step) ** 2);
  };
}
