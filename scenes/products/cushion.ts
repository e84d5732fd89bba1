/** A cushion that leans against the wall, with piping along its seam. */
import { backdropOf } from "../cloth/backdrop.ts";
import { clothOf } from "../cloth/cloth.ts";
import { sideOf } from "../cloth/curve.ts";
import { lightCloth } from "../cloth/light-cloth.ts";
import { outlineOf, slopeOf } from "../cloth/outline.ts";
import { lightOnCord } from "../cloth/piping.ts";
import { refine } from "../cloth/refine.ts";
import { type Sheet, sheetOf } from "../cloth/sheet.ts";
import { softShadow } from "../cloth/soft-shadow.ts";
import { type Constraint, relax } from "../cloth/solver.ts";
import { plainWeave } from "../cloth/texture.ts";
import { noise } from "../noise.ts";
import { clamp, smoothstep } from "../scalars.ts";
import type { Scene } from "../scene.ts";

/** Millimetres of a side before it is filled. */
const SIDE = 450;

/** Millimetres that are printed beyond the seam, where the cord is covered. */
const ALLOWANCE = 8;

/** Nodes of a side at first. */
const NODES = 49;

const LINEN = { stretch: 1, shear: 0.3, bend: 0.05 };
const FILLED = { pull: [0, 0.01, 0], filling: { push: 0.02, height: 90 }, inertia: 0.96 } as const;

/**
 * The seam: shorter than the cloth, which is what makes folds, with corners that stand out, sides
 * that bow inwards and a dent in the top. Millimetres, but for `narrowed` and the dent's place.
 */
const SEAM = {
  narrowed: 0.94,
  corners: 7,
  bow: 21,
  dent: 23,
  dentAt: 0.1,
  dentWidth: 0.3,
  uneven: 4,
};

/** A slight rotation. */
const TURN = 0.008;

/** Half the thickness of the cord, in pixels. */
const CORD = 7;

/** The cord's first surface, apart from the cloth's layers; folds go on over it. */
const PIPING = 10;

const VIEW = { scale: 2.85, left: 800, top: 790 };
const WINDOW = { left: 80, top: 80, width: 1440, height: 1440 };
const LIGHTING = { lamp: 0.72, wrap: 0.15, depth: 1.7, sheen: 0.05, gloss: 0.012, level: 0.95 };

const WALL = [0.76, 0.735, 0.7] as const;
const TABLE = { colour: [0.68, 0.645, 0.6], from: 1210, to: 1330 } as const;

/** Rows of pixels in which the cushion darkens the table that it stands on. */
const GROUND = { from: 1385, to: 1440 };

/** Sides clockwise. */
const SIDES = ["top", "right", "bottom", "left"] as const;

/** Constrains the rim to the seam, which stays in the plane between front and back by symmetry. */
const sewn: Constraint = ({ columns, rows, x, y, z }) => {
  const half = SIDE / 2;
  const put = (node: number, side: number, s: number) => {
    const corner = SEAM.corners * s ** 4;
    const dent =
      side === 0 ? SEAM.dent * Math.exp(-(((s - SEAM.dentAt) / SEAM.dentWidth) ** 2)) : 0;
    const uneven = (k: number) =>
      2 * SEAM.uneven * (1 - s * s) * (noise(s * 6 + 7 * side, side + k) - 0.5);
    const out = half * SEAM.narrowed + corner - SEAM.bow * (1 - s * s) - dent + uneven(0);
    const along = s * half * SEAM.narrowed + Math.sign(s) * corner + uneven(20.5);
    const px = side % 2 === 0 ? along : (2 - side) * out;
    const py = side % 2 === 0 ? (side - 1) * out : along;
    x[node] = px - TURN * py;
    y[node] = py + TURN * px;
    z[node] = 0;
  };
  for (let i = 0; i < columns; i++) {
    put(i, 0, (2 * i) / (columns - 1) - 1);
    put((rows - 1) * columns + i, 2, (2 * i) / (columns - 1) - 1);
  }
  for (let j = 0; j < rows; j++) {
    put(j * columns + columns - 1, 1, (2 * j) / (rows - 1) - 1);
    put(j * columns, 3, (2 * j) / (rows - 1) - 1);
  }
};

/** The front, filled. */
function front(): Sheet {
  const size = { width: SIDE, height: SIDE };
  const coarse = sheetOf(size, { columns: NODES, rows: NODES }, (u, v, at) => {
    const s = (2 * u) / SIDE - 1;
    const t = (2 * v) / SIDE - 1;
    at.x = (u - SIDE / 2) * SEAM.narrowed;
    at.y = (v - SIDE / 2) * SEAM.narrowed;
    at.z = (1 - s * s) * (1 - t * t) * (40 + 50 * noise(u / 110, v / 110));
  });
  relax(coarse, 260, LINEN, FILLED, sewn);
  const fine = refine(coarse, 2);
  relax(fine, 60, LINEN, { ...FILLED, inertia: 0.9 }, sewn);
  return refine(fine, 5);
}

export function cushion(): Scene {
  const sheet = front();
  const cloth = clothOf(sheet, VIEW, WINDOW, LIGHTING);
  const rim = SIDES.flatMap((side) => sideOf(sheet, side, VIEW, 4).slice(0, -1));
  const seam = outlineOf(rim, 40);
  const outwards = { x: 0, y: 0 };
  const weave = plainWeave(1.2);
  const inside = (x: number, y: number) => smoothstep(4, -4, seam.distance(x, y));
  const castShadow = softShadow((x, y) => inside(x - 80, y - 50), 130);
  const contact = softShadow((x, y) => inside(x - 10, y - 14), 34);
  const ground = softShadow(
    (x, y) => (y > GROUND.from && y < GROUND.to ? inside(x - 14, GROUND.from) : 0),
    44,
  );
  const backdrop = backdropOf({ wall: WALL, table: TABLE });
  return {
    sample(x, y, fragment) {
      const distance = seam.distance(x, y);
      if (distance > 1.5 * CORD) {
        backdrop(
          x,
          y,
          clamp(0.28 * castShadow(x, y) + 0.4 * contact(x, y) + 0.4 * ground(x, y), 0, 0.8),
          fragment,
        );
        return;
      }
      fragment.mask = 1;
      const onCord = distance > -0.5 * CORD;
      if (onCord) {
        // The cord is covered with the cloth beside the seam.
        slopeOf(seam, x, y, outwards);
        const inset = distance + CORD;
        const layer = cloth(x - outwards.x * inset, y - outwards.y * inset, fragment);
        fragment.piece = PIPING + layer;
        fragment.u += (outwards.x * inset) / VIEW.scale;
        fragment.v += (outwards.y * inset) / VIEW.scale;
        fragment.shading = lightOnCord((distance - 0.5 * CORD) / CORD, outwards);
        fragment.highlight = 0;
      } else {
        fragment.piece = cloth(x, y, fragment);
        fragment.shading *= 1 - 0.3 * smoothstep(-22, 0, distance);
      }
      fragment.u += ALLOWANCE;
      fragment.v += ALLOWANCE;
      const thread = 1 + 0.06 * weave(fragment.u, fragment.v);
      lightCloth(fragment, thread);
    },
  };
}
