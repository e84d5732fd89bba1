/** A short sleeve on an arm that hangs down. */
import { noise } from "../../noise.ts";
import { copyOf, pinnedTo } from "../constraints.ts";
import { refine } from "../refine.ts";
import { type Sheet, sheetOf } from "../sheet.ts";
import { sectionOf, silhouetteOf } from "../silhouette.ts";
import { type Constraint, relax } from "../solver.ts";
import { SLEEVE } from "./shapes.ts";

const NODES = { columns: 23, rows: 30 };

const JERSEY = { stretch: 1, shear: 0.2, bend: 0.06 };
const WORN = { pull: [0, 0.03, -0.005], inertia: 0.97 } as const;

/** The arm's direction: its sine and cosine from straight down outwards. */
const SIN = 0.45;
const COS = Math.sqrt(1 - SIN * SIN);

/** Middle of the sleeve's upper end, under the front. */
const CAP = { x: 196, y: 66 };

/** Bulge of the arm in millimetres. */
const BULGE = 44;

/** Half of the arm's width `t` mm below the cap. */
const halfWidth = (t: number): number => 86 - 0.045 * t;

const armHeight = (s: number, t: number): number =>
  BULGE * Math.sqrt(Math.max(0, 1 - (s / (halfWidth(t) + 3)) ** 2));

/** The right sleeve (`side` 1) or the left one (−1) on the body, with its folds. */
export function sleeve(side: 1 | -1): Sheet {
  // Simulated on an upright arm, which is then rotated into place.
  const home = clinging();
  const coarse = copyOf(home);
  for (let node = 0; node < coarse.z.length; node++) {
    coarse.z[node] += 5 * noise(coarse.x[node] / 40 + 50 * side, coarse.y[node] / 60);
  }
  const fineHome = refine(home, 2);
  relax(coarse, 160, JERSEY, WORN, wornAs(home, side));
  const fine = refine(coarse, 2);
  relax(fine, 40, JERSEY, { ...WORN, inertia: 0.9 }, wornAs(fineHome, side));
  return turned(fine, side);
}

/** Returns the sleeve's position if it clung to the arm. */
function clinging(): Sheet {
  const sections = Array.from({ length: NODES.rows }, (_, row) => {
    const t = (row / (NODES.rows - 1)) * SLEEVE.height;
    return sectionOf((s) => armHeight(s, t), halfWidth(t));
  });
  return sheetOf(SLEEVE, NODES, (u, v, at) => {
    const k = (2 * u) / SLEEVE.width - 1;
    const row = Math.round((v / SLEEVE.height) * (NODES.rows - 1));
    at.x = Math.sign(k) * sections[row](Math.abs(k));
    at.y = v;
    at.z = armHeight(at.x, v);
  });
}

/** Pins the cap at its seam, and both sides, the inner one pushed up into the armpit. */
function wornAs(home: Sheet, side: 1 | -1): Constraint {
  const form = silhouetteOf(armHeight, { left: -110, top: -10, right: 110, bottom: 330 });
  const { columns, rows, x, y, z } = home;
  const pinned: number[] = [];
  for (let node = 0; node < x.length; node++) {
    const column = node % columns;
    if (node < 0.12 * rows * columns) pinned.push(node);
    else if (column === 0 || column === columns - 1) {
      pinned.push(node);
      const pushed = Math.sign(x[node]) === side ? 0.02 : 0.06;
      const t = y[node];
      y[node] += 7 * (noise(t / 40, 31 * side) - 0.5) - pushed * (t - 30);
      x[node] = 0.96 * x[node] + 8 * (noise(t / 50, 37 * side) - 0.5);
      z[node] = 0;
    }
  }
  const pin = pinnedTo(home, pinned);
  return (sheet) => {
    form(sheet);
    pin(sheet);
  };
}

/** Rotates the upright arm into its direction. */
function turned(sheet: Sheet, side: 1 | -1): Sheet {
  const { x, y } = sheet;
  for (let node = 0; node < x.length; node++) {
    const s = x[node];
    const t = y[node];
    x[node] = side * (CAP.x + t * SIN) + s * COS;
    y[node] = CAP.y - side * s * SIN + t * COS;
  }
  return sheet;
}
