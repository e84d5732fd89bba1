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
  readonly #minX: number;
  readonly #minY: number;
  readonly #step: number;
  readonly #width: number;
  readonly #height: number;
  /** The first of the four nodes around the point that was located last; the others follow it, and lie a row below. */
  node = 0;
  /** How far the point lies beyond that node, in columns and rows. */
  #fx = 0;
  #fy = 0;

  constructor({ min, step, width, height }: NodeGrid) {
    this.#minX = min.x;
    this.#minY = min.y;
    this.#step = step;
    this.#width = width;
    this.#height = height;
  }

  /** Finds the nodes around a point. */
  locate(x: number, y: number): void {
    const u = Math.min(Math.max((x - this.#minX) / this.#step, 0), this.#width - 1);
    const v = Math.min(Math.max((y - this.#minY) / this.#step, 0), this.#height - 1);
    const left = Math.min(Math.floor(u), this.#width - 2);
    const upper = Math.min(Math.floor(v), this.#height - 2);
    this.node = upper * this.#width + left;
    this.#fx = u - left;
    this.#fy = v - upper;
  }

  /** Returns the value at the located point. */
  read(values: Float32Array): number {
    const { node } = this;
    const below = node + this.#width;
    const fx = this.#fx;
    const fy = this.#fy;
    return (
      values[node] * ((1 - fx) * (1 - fy)) +
      values[node + 1] * (fx * (1 - fy)) +
      values[below] * ((1 - fx) * fy) +
      values[below + 1] * (fx * fy)
    );
  }

  /** Writes red, green and blue at the located point. @param colours of the nodes, interleaved */
  readColour(colours: Float32Array, into: Float32Array | Float64Array, at = 0): void {
    const node = 3 * this.node;
    const below = node + 3 * this.#width;
    const fx = this.#fx;
    const fy = this.#fy;
    const upperLeft = (1 - fx) * (1 - fy);
    const upperRight = fx * (1 - fy);
    const lowerLeft = (1 - fx) * fy;
    const lowerRight = fx * fy;
    for (let channel = 0; channel < 3; channel++) {
      into[at + channel] =
        colours[node + channel] * upperLeft +
        colours[node + 3 + channel] * upperRight +
        colours[below + channel] * lowerLeft +
        colours[below + 3 + channel] * lowerRight;
    }
  }

  /** Returns the four nodes around the located point. */
  nodes(): readonly number[] {
    const { node } = this;
    const below = node + this.#width;
    return [node, node + 1, below, below + 1];
  }

  /** Returns their weights. */
  weights(): readonly number[] {
    const [fx, fy] = [this.#fx, this.#fy];
    return [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy];
  }
}
