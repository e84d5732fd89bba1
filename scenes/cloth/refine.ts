/** Refines a sheet: coarse nodes find large folds fast, finer ones add small folds. */
import type { Sheet } from "./sheet.ts";

/**
 * Returns `sheet` with `times` as many intervals each way, on the uniform cubic B-spline. It
 * passes near the nodes instead of through them, which smooths the beads of a sharp fold
 * that runs diagonally through the grid; normals stay continuous.
 */
export function refine(sheet: Sheet, times: number): Sheet {
  const { columns, rows } = sheet;
  const fine = { columns: (columns - 1) * times + 1, rows: (rows - 1) * times + 1 };
  const spread = (values: Float64Array) => {
    const wide = new Float64Array(fine.columns * rows);
    for (let j = 0; j < rows; j++) {
      thread(values, j * columns, 1, columns, wide, j * fine.columns, 1, times);
    }
    const all = new Float64Array(fine.columns * fine.rows);
    for (let i = 0; i < fine.columns; i++) {
      thread(wide, i, fine.columns, rows, all, i, fine.columns, times);
    }
    return all;
  };
  return {
    ...fine,
    across: sheet.across / times,
    down: sheet.down / times,
    x: spread(sheet.x),
    y: spread(sheet.y),
    z: spread(sheet.z),
  };
}

/** Refines `count` values that lie `stride` apart; continued in a straight line, ends stay put. */
function thread(
  from: Float64Array,
  start: number,
  stride: number,
  count: number,
  to: Float64Array,
  first: number,
  step: number,
  times: number,
): void {
  const at = (k: number) => {
    if (k < 0) return 2 * from[start] - from[start + stride];
    if (k >= count) {
      return 2 * from[start + (count - 1) * stride] - from[start + (count - 2) * stride];
    }
    return from[start + k * stride];
  };
  for (let k = 0; k < count - 1; k++) {
    const [a, b, c, d] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
    for (let part = 0; part < times; part++) {
      const t = part / times;
      const left = 1 - t;
      to[first + (k * times + part) * step] =
        (left * left * left * a +
          (4 + t * t * (3 * t - 6)) * b +
          (4 + left * left * (3 * left - 6)) * c +
          t * t * t * d) /
        6;
    }
  }
  to[first + (count - 1) * times * step] = at(count - 1);
}
