/** Finds import cycles. */
import type { ImportEdge, ImportGraph } from "./read-imports.ts";

/**
 * Returns the shortest cycle through each file that is in no earlier cycle, as its
 * edges in order.
 */
export function findCycles(graph: ImportGraph): ImportEdge[][] {
  const covered = new Set<string>();
  const cycles: ImportEdge[][] = [];
  for (const file of graph.keys()) {
    if (covered.has(file)) continue;
    const cycle = shortestWayBack(graph, file);
    if (!cycle) continue;
    cycles.push(cycle);
    for (const edge of cycle) covered.add(edge.file);
  }
  return cycles;
}

/** Breadth-first search from `start` along its imports until one leads back to it. */
function shortestWayBack(graph: ImportGraph, start: string): ImportEdge[] | null {
  const cameBy = new Map<string, ImportEdge>();
  const queue = [start];
  for (const file of queue) {
    for (const edge of graph.get(file) ?? []) {
      if (edge.target === start) return trace(cameBy, start, edge);
      if (cameBy.has(edge.target)) continue;
      cameBy.set(edge.target, edge);
      queue.push(edge.target);
    }
  }
  return null;
}

function trace(
  cameBy: ReadonlyMap<string, ImportEdge>,
  start: string,
  last: ImportEdge,
): ImportEdge[] {
  const edges = [last];
  while (edges[0].file !== start) edges.unshift(cameBy.get(edges[0].file) as ImportEdge);
  return edges;
}
