/**
 * Computes the share of each block in a pixel. Pixels on an edge belong to both its
 * sides, so that it is smooth and no side is preferred.
 */
import type { Torus, Vector } from "../effect.ts";
import type { BlockGrid } from "./block-grid.ts";

/** A whole pixel. Integers, so that sums over a block do not depend on their order. */
const WHOLE_SHARE = 1024;

export interface BlockShares {
  /** Four of each pixel of the row, for the blocks 0, a, b, a + b; they add up to about 1024. */
  readonly shares: Uint16Array;
  /** Distance to the nearest edge, in pixels. */
  readonly depth: Float64Array;
  /** For the row that the grid has located. */
  measure(): void;
}

/**
 * Makes a measure for a grid. The bisector of two blocks is a straight line, so the distances to
 * the six of four blocks are linear in u and v; a block's depth is its least.
 */
export function blockShares(
  { basis: [a, b], pixel, row }: BlockGrid,
  { width }: Pick<Torus, "width">,
): BlockShares {
  const shares = new Uint16Array(4 * width);
  const depth = new Float64Array(width);
  const aa = a.x * a.x + a.y * a.y;
  const bb = b.x * b.x + b.y * b.y;
  const ab = a.x * b.x + a.y * b.y;
  // Squared distances differ by twice the way across the bisector times the blocks' distance.
  const scale = (vector: Vector) => 0.5 / (Math.hypot(vector.x, vector.y) * pixel);
  const alongA = scale(a);
  const alongB = scale(b);
  const alongSum = scale({ x: a.x + b.x, y: a.y + b.y });
  const alongDifference = scale({ x: a.x - b.x, y: a.y - b.y });
  const share = (inside: number) =>
    Math.floor(Math.min(Math.max(inside + 0.5, 0), 1) * WHOLE_SHARE + 0.5);
  const measure = () => {
    const { u, v } = row;
    for (let x = 0; x < width; x++) {
      // |p − block|² − |p|².
      const pa = 2 * (u[x] * aa + v[x] * ab);
      const pb = 2 * (u[x] * ab + v[x] * bb);
      const toA = aa - pa;
      const toB = bb - pb;
      const toSum = aa + bb + 2 * ab - pa - pb;
      const d01 = toA * alongA;
      const d02 = toB * alongB;
      const d03 = toSum * alongSum;
      const d12 = (toB - toA) * alongDifference;
      const d13 = (toSum - toA) * alongB;
      const d23 = (toSum - toB) * alongA;
      const in0 = Math.min(d01, d02, d03);
      const in1 = Math.min(-d01, d12, d13);
      const in2 = Math.min(-d02, -d12, d23);
      const in3 = Math.min(-d03, -d13, -d23);
      depth[x] = Math.max(in0, in1, in2, in3);
      shares[4 * x] = share(in0);
      shares[4 * x + 1] = share(in1);
      shares[4 * x + 2] = share(in2);
      shares[4 * x + 3] = share(in3);
    }
  };
  return { shares, depth, measure };
}
