/** Ways to hold cloth. */
import type { Hold } from "./relax.ts";
import type { Sheet } from "./sheet.ts";

/** Keeps the nodes `pinned` where they are in `home`, a sheet with the same nodes. */
export function pinnedTo(home: Sheet, pinned: readonly number[]): Hold {
  return ({ x, y, z }) => {
    for (const node of pinned) {
      x[node] = home.x[node];
      y[node] = home.y[node];
      z[node] = home.z[node];
    }
  };
}

/** A sheet with the same nodes in the same places, to be moved on its own. */
export function copyOf(sheet: Sheet): Sheet {
  return { ...sheet, x: sheet.x.slice(), y: sheet.y.slice(), z: sheet.z.slice() };
}
