/** A piece of cloth as a grid of nodes, simulated by `relax`. */
import type { Size } from "../../engine/size.ts";

/**
 * Nodes row by row, in millimetres: x to the right, y down, z towards the viewer. On the cloth, node
 * (i, j) lies at (i · `across`, j · `down`).
 */
export interface Sheet {
  readonly columns: number;
  readonly rows: number;
  /** Millimetres of cloth between neighbours in a row. */
  readonly across: number;
  /** Millimetres of cloth between neighbours in a column. */
  readonly down: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
}

/** Places a point of flat cloth: writes `x`, `y` and `z` of `at`. */
export type NodePlacement = (u: number, v: number, at: { x: number; y: number; z: number }) => void;

/** Returns `width` × `height` mm of cloth in `columns` × `rows` nodes, placed by `place`. */
export function sheetOf(
  size: Size,
  nodes: { readonly columns: number; readonly rows: number },
  place: NodePlacement,
): Sheet {
  const { columns, rows } = nodes;
  const across = size.width / (columns - 1);
  const down = size.height / (rows - 1);
  const [x, y, z] = [0, 0, 0].map(() => new Float64Array(columns * rows));
  const at = { x: 0, y: 0, z: 0 };
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      place(i * across, j * down, at);
      const node = j * columns + i;
      x[node] = at.x;
      y[node] = at.y;
      z[node] = at.z;
    }
  }
  return { columns, rows, across, down, x, y, z };
}
