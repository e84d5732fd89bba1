/** Constraints of cloth. */

import type { Sheet } from "./sheet.ts";
import type { Constraint } from "./solver.ts";

/** Pins the nodes `pinned` to their positions in `home`, a sheet with the same nodes. */
export function pinnedTo(home: Sheet, pinned: readonly number[]): Constraint {
  return ({ x, y, z }) => {
    for (const node of pinned) {
      x[node] = home.x[node];
      y[node] = home.y[node];
      z[node] = home.z[node];
    }
  };
}

/** Copies a sheet, to be moved independently. */
export function copyOf(sheet: Sheet): Sheet {
  return { ...sheet, x: sheet.x.slice(), y: sheet.y.slice(), z: sheet.z.slice() };
}
