/**
 * The silhouette of a body under cloth: a height field, tabulated because every node reads it in
 * every step.
 */
import { clamp } from "../scalars.ts";
import type { Sheet } from "./sheet.ts";

/** Millimetres between the table's entries. */
const STEP = 4;

/** Millimetres above the plane z = 0 at a place. */
export type Height = (x: number, y: number) => number;

export interface Extent {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Lifts the nodes of a sheet that are inside the body onto it. */
export type Silhouette = (sheet: Sheet) => void;

/** Creates the silhouette of a height field, tabulated in `extent`. */
export function silhouetteOf(height: Height, extent: Extent): Silhouette {
  const columns = Math.ceil((extent.right - extent.left) / STEP) + 1;
  const rows = Math.ceil((extent.bottom - extent.top) / STEP) + 1;
  const table = new Float32Array(columns * rows);
  for (let j = 0, at = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++, at++) {
      table[at] = height(extent.left + i * STEP, extent.top + j * STEP);
    }
  }
  return ({ x, y, z }) => {
    for (let node = 0; node < z.length; node++) {
      const i = clamp((x[node] - extent.left) / STEP, 0, columns - 1.001);
      const j = clamp((y[node] - extent.top) / STEP, 0, rows - 1.001);
      const column = Math.floor(i);
      const row = Math.floor(j);
      const s = i - column;
      const t = j - row;
      const at = row * columns + column;
      const ground =
        (table[at] * (1 - s) + table[at + 1] * s) * (1 - t) +
        (table[at + columns] * (1 - s) + table[at + columns + 1] * s) * t;
      if (z[node] < ground) z[node] = ground;
    }
  };
}

/** Segments of a section's arc length. */
const PARTS = 80;

/** Returns x at a share, 0…1, of the arc length from a body's centre to its side. */
export type Section = (share: number) => number;

/** Measures the arc length of a section from x = 0 to x = `half`, to lay cloth on it unstretched. */
export function sectionOf(height: (x: number) => number, half: number): Section {
  const lengths = new Float64Array(PARTS + 1);
  for (let part = 1; part <= PARTS; part++) {
    const rise = height((half * part) / PARTS) - height((half * (part - 1)) / PARTS);
    lengths[part] = lengths[part - 1] + Math.sqrt((half / PARTS) ** 2 + rise * rise);
  }
  return (share) => {
    const wanted = share * lengths[PARTS];
    let part = 1;
    while (part < PARTS && lengths[part] < wanted) part++;
    const rest = (wanted - lengths[part - 1]) / (lengths[part] - lengths[part - 1]);
    return (half * (part - 1 + rest)) / PARTS;
  };
}
