/** A square grid of nodes over a box of the plane, and values at its nodes. */
import type { Affine, Point } from "../../geometry/affine.ts";
import type { Size } from "../../size.ts";

/** The first node lies at `min`; `step` edges lie between neighbours. Width and height are in nodes. */
export interface NodeGrid extends Size {
  readonly min: Point;
  readonly step: number;
}

/** Returns the grid over a box with so many nodes along its longer side. */
export function gridOver(
  box: { readonly min: Point; readonly max: Point },
  nodes: number,
): NodeGrid {
  const width = box.max.x - box.min.x;
  const height = box.max.y - box.min.y;
  const step = Math.max(width, height) / (nodes - 1);
  const count = (side: number) => Math.ceil(side / step - 1e-6) + 1;
  return { min: box.min, step, width: count(width), height: count(height) };
}

export const nodeAt = ({ min, step }: NodeGrid, column: number, row: number): Point => ({
  x: min.x + column * step,
  y: min.y + row * step,
});

/** Returns the map from the plane to columns and rows. */
export const toNodes = ({ min, step }: NodeGrid): Affine => ({
  a: 1 / step,
  b: 0,
  c: 0,
  d: 1 / step,
  e: -min.x / step,
  f: -min.y / step,
});

/** Interpolates between nodes; outside, the nearest node counts. */
export class Interpolation {
  readonly #grid: NodeGrid;
  /** Indices of the four nodes around the point that was located last, and their weights. */
  readonly nodes = new Int32Array(4);
  readonly weights = new Float64Array(4);

  constructor(grid: NodeGrid) {
    this.#grid = grid;
  }

  /** Finds the nodes around a point. */
  locate(x: number, y: number): void {
    const { min, step, width, height } = this.#grid;
    const u = Math.min(Math.max((x - min.x) / step, 0), width - 1);
    const v = Math.min(Math.max((y - min.y) / step, 0), height - 1);
    const left = Math.min(Math.floor(u), width - 2);
    const upper = Math.min(Math.floor(v), height - 2);
    const [fx, fy] = [u - left, v - upper];
    const { nodes, weights } = this;
    nodes[0] = upper * width + left;
    nodes[1] = nodes[0] + 1;
    nodes[2] = nodes[0] + width;
    nodes[3] = nodes[2] + 1;
    weights[0] = (1 - fx) * (1 - fy);
    weights[1] = fx * (1 - fy);
    weights[2] = (1 - fx) * fy;
    weights[3] = fx * fy;
  }

  /** Returns the value at the located point. */
  read(values: Float32Array): number {
    const { nodes, weights } = this;
    return (
      values[nodes[0]] * weights[0] +
      values[nodes[1]] * weights[1] +
      values[nodes[2]] * weights[2] +
      values[nodes[3]] * weights[3]
    );
  }
}
