/** The front of a T-shirt on an invisible body. */
import { noise } from "../../noise.ts";
import { mix, smoothstep } from "../../scalars.ts";
import { copyOf, pinnedTo } from "../constraints.ts";
import { refine } from "../refine.ts";
import { type Sheet, sheetOf } from "../sheet.ts";
import { sectionOf, silhouetteOf } from "../silhouette.ts";
import { type Constraint, relax } from "../solver.ts";
import { drape } from "./drape.ts";
import { ARMPIT, FRONT } from "./shapes.ts";

const NODES = { columns: 46, rows: 64 };

const JERSEY = { stretch: 1, shear: 0.2, bend: 0.06 };
const WORN = { pull: [0, 0.018, -0.008], inertia: 0.97 } as const;

/** Share by which the sides are pushed up, and its variation in millimetres. */
const BUNCHED = 0.022;
const UNEVEN = 6;

/** Half of the body's width at a height. */
const halfWidth = (y: number): number =>
  232 +
  8 * smoothstep(330, 180, y) +
  4 * smoothstep(150, 0, y) +
  10 * smoothstep(450, 720, y) -
  6 * Math.exp(-(((y - 430) / 120) ** 2));

/** The body: a flat oval in section, fuller at the chest. */
function bodyHeight(x: number, y: number): number {
  const oval = Math.max(0, 1 - (x / (halfWidth(y) + 4)) ** 2);
  const depth = 62 + 8 * smoothstep(60, 200, y) - 26 * smoothstep(230, 560, y);
  const chest = (side: number) =>
    8 * Math.exp(-(((x - 95 * side) / 75) ** 2) - ((y - 205) / 80) ** 2);
  return depth * Math.sqrt(oval) + chest(1) + chest(-1);
}

/** Returns the front's position if it clung to the body. */
function clinging(): Sheet {
  const sections = Array.from({ length: NODES.rows }, (_, row) => {
    const y = (row / (NODES.rows - 1)) * FRONT.height;
    return sectionOf((x) => bodyHeight(x, y), halfWidth(y));
  });
  return sheetOf(FRONT, NODES, (u, v, at) => {
    const k = (2 * u) / FRONT.width - 1;
    const row = Math.round((v / FRONT.height) * (NODES.rows - 1));
    at.x = Math.sign(k) * sections[row](Math.abs(k));
    at.y = v;
    at.z = bodyHeight(at.x, v);
  });
}

/** Height of the shoulder's seam. */
const shoulderAt = (x: number): number => 12 + 62 * Math.max(0, (Math.abs(x) - 80) / 150) ** 1.15;

/** Pins shoulders and armholes, and the sides along the body, slightly pushed up. */
function wornAs(home: Sheet): Constraint {
  const form = silhouetteOf(bodyHeight, { left: -280, top: -10, right: 280, bottom: 790 });
  const { columns, x, y, z } = home;
  const pinned: number[] = [];
  for (let node = 0; node < x.length; node++) {
    const sewn = Math.abs(x[node]) > 212 && y[node] < ARMPIT - 10;
    if (sewn || y[node] < shoulderAt(x[node]) + 6) pinned.push(node);
    else if (node % columns === 0 || node % columns === columns - 1) {
      pinned.push(node);
      const side = Math.sign(x[node]);
      const height = y[node];
      x[node] = 0.975 * x[node] + 10 * (noise(height / 55, 5 * side) - 0.5);
      y[node] += 2 * UNEVEN * (noise(height / 45, 15 * side) - 0.5) - BUNCHED * (height - ARMPIT);
      z[node] = 0;
    }
  }
  const pin = pinnedTo(home, pinned);
  return (sheet) => {
    form(sheet);
    pin(sheet);
  };
}

/** Smooths the yoke, where the sewn edges leave cloth over that would stand up in pleats. */
function calmAbove(sheet: Sheet, home: Sheet): void {
  for (let node = 0; node < sheet.z.length; node++) {
    const share = smoothstep(130, 300, home.y[node]);
    sheet.x[node] = mix(home.x[node], sheet.x[node], share);
    sheet.y[node] = mix(home.y[node], sheet.y[node], share);
    sheet.z[node] = mix(home.z[node], sheet.z[node], share);
  }
}

/** The front with its folds, not yet refined for the camera. */
export function torso(): Sheet {
  const home = clinging();
  const coarse = copyOf(home);
  for (let node = 0; node < coarse.z.length; node++) {
    // Slight lifts from the armpits diagonally to the middle initiate folds.
    const x = coarse.x[node];
    const y = coarse.y[node];
    const slant = Math.sign(x) * (Math.abs(x) + 0.4 * y);
    coarse.z[node] += 7 * noise(slant / 80, y / 150) * smoothstep(150, 330, y);
  }
  const fineHome = refine(home, 2);
  relax(coarse, 220, JERSEY, WORN, wornAs(home));
  const fine = refine(coarse, 2);
  relax(fine, 50, JERSEY, { ...WORN, inertia: 0.9 }, wornAs(fineHome));
  calmAbove(fine, fineHome);
  drape(fine);
  return fine;
}
