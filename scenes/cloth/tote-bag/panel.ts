/** The front of a tote bag that hangs by its handles. */
import { noise } from "../../noise.ts";
import { refine } from "../refine.ts";
import { type Sheet, sheetOf } from "../sheet.ts";
import { type Constraint, relax } from "../solver.ts";
import { HANDLE_ENDS, PANEL } from "./shapes.ts";

const NODES = { columns: 39, rows: 43 };

const CANVAS = { stretch: 1, shear: 0.55, bend: 0.4 };
const HANGING = {
  pull: [0, 0.009, 0],
  filling: { push: 0.005, height: 28 },
  inertia: 0.97,
} as const;

/** Half a handle's width, and the height of its sewn end. */
const SEWN = { half: 13, down: 34 };

/** Constrains seams to the wall and sewn parts to the handles, and keeps cloth in front of the wall. */
const hung: Constraint = ({ columns, rows, across, down, x, y, z }) => {
  for (let node = 0; node < z.length; node++) {
    const column = node % columns;
    const row = Math.floor(node / columns);
    if (column === 0 || column === columns - 1 || row === rows - 1) z[node] = 0;
    else if (z[node] < 0) z[node] = 0;
    const v = row * down;
    if (v > SEWN.down) continue;
    const u = column * across - PANEL.width / 2;
    for (const end of HANDLE_ENDS) {
      if (Math.abs(u - end.u) > SEWN.half) continue;
      x[node] = end.x + (u - end.u) * 0.99 + end.lean * v;
      y[node] = end.y + v;
      z[node] = 14 + 0.06 * v;
    }
  }
};

/** The panel with its folds and creases, not yet refined for the camera. */
export function panel(): Sheet {
  const coarse = sheetOf(PANEL, NODES, (u, v, at) => {
    at.x = (u - PANEL.width / 2) * 0.985;
    at.y = v;
    const s = (2 * u) / PANEL.width - 1;
    at.z = 14 * (1 - s * s) + 34 * noise(u / 70, v / 80) * (1 - s ** 4);
  });
  relax(coarse, 240, CANVAS, HANGING, hung);
  const fine = refine(coarse, 2);
  relax(fine, 60, CANVAS, { ...HANGING, inertia: 0.9 }, hung);
  return fine;
}
