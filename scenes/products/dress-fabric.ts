/** A length of fabric, pinned up at a few places so that it falls in swags and pleats. */
import { backdropOf } from "../cloth/backdrop.ts";
import { clothOf } from "../cloth/cloth.ts";
import { LAYER } from "../cloth/cloth-point.ts";
import { sideOf } from "../cloth/curve.ts";
import { lightCloth } from "../cloth/light-cloth.ts";
import { outlineOf } from "../cloth/outline.ts";
import { refine } from "../cloth/refine.ts";
import { type Sheet, sheetOf } from "../cloth/sheet.ts";
import { softShadow } from "../cloth/soft-shadow.ts";
import { type Constraint, relax } from "../cloth/solver.ts";
import { fibres } from "../cloth/texture.ts";
import { noise } from "../noise.ts";
import { clamp, mix, smoothstep } from "../scalars.ts";
import { MOCKUP_SIZE, type Scene } from "../scene.ts";

/** Millimetres of fabric each way. */
const SIDE = 1400;

/** Nodes of a side at first. */
const NODES = 71;

const VISCOSE = { stretch: 1, shear: 0.15, bend: 0.02 };
const HANGING = { pull: [0, 0.03, 0], inertia: 0.98 } as const;

/** The wall behind the fabric. */
const BEHIND = -40;

/** Pins hold the upper edge at `u` by three and three, so that a pleat begins at each group. */
const PINS = [
  { u: 0, x: -480, y: 0, z: 0 },
  { u: 60, x: -458, y: 0, z: 30 },
  { u: 120, x: -432, y: -4, z: 0 },
  { u: 540, x: -150, y: -70, z: 0 },
  { u: 600, x: -128, y: -76, z: 32 },
  { u: 660, x: -100, y: -70, z: 0 },
  { u: 1280, x: 396, y: 30, z: 0 },
  { u: 1340, x: 424, y: 24, z: 30 },
  { u: 1400, x: 452, y: 30, z: 0 },
] as const;

/** The pins are above the picture; the window is larger than it, because folds cast shadows into it. */
const VIEW = { scale: 1.74, left: 612, top: -262 };
const WINDOW = { left: -80, top: -80, width: MOCKUP_SIZE + 160, height: MOCKUP_SIZE + 160 };
const LIGHTING = { lamp: 0.66, wrap: 0.2, depth: 1.3, sheen: 0.08, gloss: 0.05, level: 1 };
/** Millimetres from the upper edge to the stitches of its hem. */
const HEM = 9;

const SIDES = ["top", "right", "bottom", "left"] as const;

const WALL = [0.74, 0.715, 0.68] as const;

const pinned: Constraint = ({ columns, x, y, z }) => {
  for (const pin of PINS) {
    const node = Math.round((pin.u / SIDE) * (columns - 1));
    x[node] = pin.x;
    y[node] = pin.y;
    z[node] = pin.z;
  }
  for (let node = 0; node < z.length; node++) z[node] = Math.max(z[node], BEHIND);
};

/** The fabric with its folds. */
function hung(): Sheet {
  const size = { width: SIDE, height: SIDE };
  const coarse = sheetOf(size, { columns: NODES, rows: NODES }, (u, v, at) => {
    const next = Math.max(
      1,
      PINS.findIndex((pin) => pin.u >= u),
    );
    const a = PINS[next - 1];
    const b = PINS[next];
    const share = (u - a.u) / (b.u - a.u);
    at.x = mix(a.x, b.x, share);
    at.y = mix(a.y, b.y, share) + v;
    at.z = mix(a.z, b.z, share) + 50 * noise(u / 110, v / 300);
  });
  relax(coarse, 300, VISCOSE, HANGING, pinned);
  const fine = refine(coarse, 2);
  relax(fine, 40, VISCOSE, { ...HANGING, inertia: 0.9 }, pinned);
  return refine(fine, 4);
}

export function dressFabric(): Scene {
  const sheet = hung();
  const cloth = clothOf(sheet, VIEW, WINDOW, LIGHTING);
  const rim = outlineOf(
    SIDES.flatMap((side) => sideOf(sheet, side, VIEW, 2)),
    24,
  );
  const covers = (x: number, y: number) => smoothstep(4, -4, rim.distance(x, y));
  const castShadow = softShadow((x, y) => covers(x - 40, y - 50), 90);
  const contact = softShadow((x, y) => covers(x - 6, y - 10), 26);
  const backdrop = backdropOf({ wall: WALL });
  const fibre = fibres(0.9);
  return {
    sample(x, y, fragment) {
      const layer = rim.distance(x, y) < 0 ? cloth(x, y, fragment) : LAYER.none;
      if (layer === LAYER.none) {
        backdrop(x, y, clamp(0.45 * castShadow(x, y) + 0.4 * contact(x, y), 0, 0.8), fragment);
        return;
      }
      fragment.piece = layer;
      fragment.mask = 1;
      // The hem is folded over and sewn down.
      const hem = 1 - 0.2 * Math.exp(-(((fragment.v - HEM) / 0.8) ** 2));
      const light = hem * (1 + 0.04 * fibre(fragment.u, fragment.v));
      lightCloth(fragment, light);
    },
  };
}
