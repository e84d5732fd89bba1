/** How deep points lie inside a domain whose free edges are paths. */
import { IDENTITY } from "../../geometry/affine.ts";
import type { EdgePath } from "./edge-paths.ts";
import type { FreeEdge } from "./free-edges.ts";
import type { NodeGrid } from "./grid.ts";

/** Returns the depths of a grid's nodes in edges of the cell, negative outside. */
export function depthsOf(
  grid: NodeGrid,
  edges: readonly FreeEdge[],
  paths: readonly EdgePath[],
): Float32Array {
  const depths = new Float32Array(grid.width * grid.height).fill(Number.POSITIVE_INFINITY);
  for (const edge of edges) {
    const own = paths.find((path) => path.edge === edge);
    if (own !== undefined) limitTo(depths, grid, own);
    else {
      const partner = paths.find((path) => path.edge === edges[edge.partner]) as EdgePath;
      // The partner's path, seen from its other side.
      limitTo(depths, grid, partner, edge.element, -1);
    }
  }
  return depths;
}

/**
 * Limits depths to how far nodes lie on the inner side of a path, about.
 * @param element map from the plane to where the path lies
 * @param side −1 if its outer side is the inner one there
 */
function limitTo(
  depths: Float32Array,
  { min, step: gridStep, width, height }: NodeGrid,
  { edge: { start, length, along, outward }, offsets }: EdgePath,
  { a, b, c, d, e, f } = IDENTITY,
  side = 1,
): void {
  const last = offsets.length - 1;
  const step = length / last;
  const rises = offsets.map((offset, at) => (at < last ? offsets[at + 1] - offset : 0));
  const lengths = rises.map((rise) => Math.sqrt(1 + (rise / step) ** 2));
  for (let node = 0, row = 0; row < height; row++) {
    const y = min.y + row * gridStep;
    for (let column = 0; column < width; column++, node++) {
      const x = min.x + column * gridStep;
      const dx = a * x + b * y + e - start.x;
      const dy = c * x + d * y + f - start.y;
      const place = Math.min(Math.max((dx * along.x + dy * along.y) / step, 0), last);
      const before = Math.min(Math.floor(place), last - 1);
      const offset = offsets[before] + (place - before) * rises[before];
      const outwards = dx * outward.x + dy * outward.y;
      const depth = (side * (offset - outwards)) / lengths[before];
      if (depth < depths[node]) depths[node] = depth;
    }
  }
}
