/** A phone case, printed over its back and edges, that leans on a block of travertine. */
import { clouds, noise } from "../noise.ts";
import { type Colour, paint, print } from "../paint.ts";
import { length2, smoothstep } from "../scalars.ts";
import type { Fragment, Scene } from "../scene.ts";
import { cameraAt } from "../still-life/camera.ts";
import { toBox, toExtrusion, toRectangle } from "../still-life/distances.ts";
import { glossAt } from "../still-life/gloss.ts";
import type { Solids } from "../still-life/solids.ts";
import { type Place, stillLife } from "../still-life/still-life.ts";

/** Half the case's width, height and thickness, and its corners' radius, in millimetres. */
const HALF = { width: 38.5, height: 77, depth: 5.2 };
const CORNER = 12;
const EDGE = 3.6;

/** Limit of the print around the edge. */
const AROUND = 8;

const PRINT = { width: 2 * (HALF.width + AROUND), height: 2 * (HALF.height + AROUND) };

/** The cameras: a plate with a rim, in the upper left corner of the back. */
const PLATE = { x: -16.5, y: 55, half: 18, corner: 9.5 };
const LENSES = [
  { x: -25, y: 63.3 },
  { x: -25, y: 46.7 },
  { x: -8.6, y: 55 },
] as const;
const LENS = 7.1;
const FLASH = { x: -8.6, y: 67, radius: 2.3 };

/** The phone's tilt and rotation. */
const LEAN = 0.2;
const TURN = -0.3;
const [LEAN_COS, LEAN_SIN] = [Math.cos(LEAN), Math.sin(LEAN)];
const [TURN_COS, TURN_SIN] = [Math.cos(TURN), Math.sin(TURN)];

/** The foot's middle on the table. */
const FOOT = { x: -4, z: 34 };

const CASE = [0.8, 0.79, 0.77] as const;
const STEEL = [1, 0.985, 0.95] as const;
const STONE = [0.7, 0.64, 0.555] as const;

/** The phone's own axes: x right and y up on its back, z out of it. */
const ownX = (x: number, z: number) => (x - FOOT.x) * TURN_COS - (z - FOOT.z) * TURN_SIN;
const outOf = (x: number, z: number) => (x - FOOT.x) * TURN_SIN + (z - FOOT.z) * TURN_COS;
const ownY = (y: number, out: number) =>
  y * LEAN_COS - out * LEAN_SIN - HALF.height - HALF.depth * LEAN_SIN;
const ownZ = (y: number, out: number) => y * LEAN_SIN + out * LEAN_COS;

const toOutline = (x: number, y: number) => toRectangle(x, y, HALF.width, HALF.height, CORNER);

/** Signed distance to the case, in its own axes. */
function toPhone(x: number, y: number, z: number): number {
  let near = toExtrusion(toOutline(x, y), z, HALF.depth, EDGE);
  const plate = toRectangle(x - PLATE.x, y - PLATE.y, PLATE.half, PLATE.half, PLATE.corner);
  if (plate - 1.2 < near && z > 0) {
    const rim = toExtrusion(Math.abs(plate) - 1.1, z - HALF.depth, 1.3, 0.9);
    near = Math.min(near, rim, toExtrusion(plate, z - HALF.depth, 0.45, 0.2));
    for (let k = 0; k < LENSES.length; k++) {
      const lens = LENSES[k];
      const ring = length2(x - lens.x, y - lens.y) - LENS;
      near = Math.min(near, toExtrusion(ring, z - HALF.depth, 2.2, 0.5));
    }
  }
  if (HALF.width - x > near + 1) return near;
  return Math.min(near, toBox(x - HALF.width, y - 26, z, 0.9, 9, 1.7, 0.9));
}

/** Position of the block's front. */
const BLOCK_FRONT = -3;

const toBlock = (x: number, y: number, z: number) => toBox(x - 34, y - 54, z + 36, 62, 54, 33, 1.6);

const solids: Solids = {
  distance(x, y, z) {
    const out = outOf(x, z);
    const px = ownX(x, z);
    const py = ownY(y, out);
    const pz = ownZ(y, out);
    const around = toBox(px, py, pz, HALF.width + 1, HALF.height, HALF.depth + 3, 1);
    const phone = around < 2 ? toPhone(px, py, pz) : around;
    // The block is behind the phone; most points in front of it can skip its distance.
    return z - BLOCK_FRONT > phone ? phone : Math.min(phone, toBlock(x, y, z));
  },
  low: [-50, 0, -70],
  high: [97, 160, 52],
};

const camera = cameraAt({ eye: [-40, 190, 620], target: [16, 68, 0], scale: 7.9 });

function showBlock({ x, y, z, light }: Place, fragment: Fragment): void {
  const bands = clouds(x * 0.012 + 3, y * 0.11 + 0.05 * z + 2 * noise(x * 0.02, y * 0.04), 4);
  const pits = smoothstep(0.72, 0.9, noise(x * 0.6 + z * 0.5, y * 1.5 + z * 0.4));
  const tone = (0.8 + 0.34 * bands) * (1 - 0.3 * pits * smoothstep(0.4, 0.6, bands)) * light;
  fragment.piece = 1;
  paint(fragment, STONE, tone);
}

/** The visible point, in the phone's own axes. */
const own = { x: 0, y: 0, z: 0 };

/** Paints plate and lenses; returns false on the case itself. */
function showCameras(place: Place, fragment: Fragment): boolean {
  const { x, y, z } = own;
  const plate = toRectangle(x - PLATE.x, y - PLATE.y, PLATE.half, PLATE.half, PLATE.corner);
  if (plate > 0.05 || z < HALF.depth + 0.3) return false;
  const gloss = glossAt(place);
  const index = LENSES.findIndex((lens) => length2(x - lens.x, y - lens.y) < LENS + 0.1);
  const spark = length2(x - FLASH.x, y - FLASH.y);
  if (index >= 0) {
    const lens = LENSES[index];
    const radius = length2(x - lens.x, y - lens.y);
    const upper = (y - lens.y - x + lens.x) / LENS;
    fragment.piece = 10 + index;
    if (radius > 5.9) {
      const metal = 0.2 + 0.3 * place.light + 0.12 * upper;
      paint(fragment, STEEL, metal, gloss);
    } else {
      // Coated glass over a dark barrel: rings, and a bluish and a warm glint.
      const ring = 0.012 + 0.03 * smoothstep(0.5, 0.1, Math.abs(radius - 4.1));
      const cool = 0.5 * smoothstep(1.6, 0.3, length2(x - lens.x + 1.6, y - lens.y - 1.9));
      const warm = 0.12 * smoothstep(1.5, 0.2, length2(x - lens.x - 1.5, y - lens.y + 1.7));
      const pupil = radius < 2.6 ? 0.5 : 1;
      fragment.piece = radius > 2.6 ? 20 + index : 23 + index;
      const dark = ring * pupil;
      const coated: Colour = [
        dark + 0.6 * cool + warm,
        dark + 0.75 * cool,
        ring + cool + 0.5 * warm,
      ];
      paint(fragment, coated, 1, 0.7 * gloss);
    }
  } else if (plate > -1.1 && z > HALF.depth + 0.6) {
    return false;
  } else {
    fragment.piece = 5;
    const tone = spark < FLASH.radius ? 0.75 : 0.02 * (0.6 + place.light);
    if (spark < FLASH.radius) fragment.piece = 6;
    paint(fragment, STEEL, tone, 0.6 * gloss);
  }
  return true;
}

function showPhone(place: Place, fragment: Fragment): void {
  if (showCameras(place, fragment)) return;
  const { x, y, z } = own;
  const gloss = 0.75 * glossAt(place);
  const { light } = place;
  fragment.piece = 2;
  paint(fragment, CASE, light, gloss);
  const plate = toRectangle(x - PLATE.x, y - PLATE.y, PLATE.half, PLATE.half, PLATE.corner);
  if (plate < 1.15 && z > HALF.depth - 0.1) {
    fragment.piece = 3;
    return;
  }
  if (z < -HALF.depth + 1.6 || toOutline(x, y) > 0.25) return;
  // Around the edge the print continues by the arc's height.
  const nx = toOutline(x + 0.1, y) - toOutline(x - 0.1, y);
  const ny = toOutline(x, y + 0.1) - toOutline(x, y - 0.1);
  const down = Math.max(0, HALF.depth - z) * smoothstep(-EDGE, -0.5 * EDGE, toOutline(x, y));
  const u = x + 5 * nx * down + 0.5 * PRINT.width;
  const v = 0.5 * PRINT.height - y - 5 * ny * down;
  fragment.piece = 4;
  print(fragment, u, v, 1.04 * light, gloss);
}

export const phoneCase = (): Scene =>
  stillLife({
    camera,
    solids,
    table: [0.7, 0.66, 0.61],
    wall: [0.76, 0.725, 0.68],
    sweep: [150, 900],
    show(place, fragment) {
      const out = outOf(place.x, place.z);
      own.x = ownX(place.x, place.z);
      own.y = ownY(place.y, out);
      own.z = ownZ(place.y, out);
      const block = toBlock(place.x, place.y, place.z);
      if (toPhone(own.x, own.y, own.z) < block) showPhone(place, fragment);
      else showBlock(place, fragment);
    },
  });
