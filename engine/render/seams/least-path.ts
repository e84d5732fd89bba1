/** The path of least cost through a strip, by dynamic programming. */

/** Costs of points of a strip: `rows` steps along it, `2·reach + 1` columns across. */
export interface CostGrid {
  readonly rows: number;
  readonly reach: number;
  /** Row by row; infinite where the path must not go. */
  readonly costs: Float64Array;
}

/** A path's own cost for each step to the side: of two equal paths the straighter one is taken. */
const SIDEWAYS = 1e-4;

/**
 * Returns for each row the column of the path, relative to the middle one, at which it begins and ends.
 * From row to row it moves by one column at most.
 */
export function leastPath({ rows, reach, costs }: CostGrid): Int32Array {
  const columns = 2 * reach + 1;
  let sums = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
  sums[reach] = costs[reach];
  const from = new Int8Array(rows * columns);
  for (let row = 1; row < rows; row++) {
    const next = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    for (let column = 0; column < columns; column++) {
      let best = sums[column];
      for (const side of [-1, 1]) {
        const sum = (sums[column + side] ?? Number.POSITIVE_INFINITY) + SIDEWAYS;
        if (sum < best) {
          best = sum;
          from[row * columns + column] = side;
        }
      }
      next[column] = best + costs[row * columns + column];
    }
    sums = next;
  }
  const path = new Int32Array(rows);
  for (let row = rows - 1, column = reach; row >= 0; row--) {
    path[row] = column - reach;
    column += from[row * columns + column];
  }
  return path;
}

/** Returns the least path among those that a half-turn about the strip's middle maps onto themselves. */
export function leastSymmetricPath({ rows, reach, costs }: CostGrid): Int32Array {
  const half = (rows + 1) >> 1;
  const columns = 2 * reach + 1;
  const last = rows * columns - 1;
  const folded = Float64Array.from(
    { length: half * columns },
    (_, at) => costs[at] + costs[last - at],
  );
  const first = leastPath({ rows: half, reach, costs: folded });
  const path = new Int32Array(rows);
  for (let row = 0; row < half; row++) {
    path[row] = first[row];
    path[rows - 1 - row] = -first[row];
  }
  return path;
}
