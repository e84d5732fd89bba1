/** A glazed stoneware mug, printed all around except rim, foot and the handle's side. */
import { paint, print } from "../paint.ts";
import { length2, smoothstep } from "../scalars.ts";
import type { Scene } from "../scene.ts";
import { cameraAt } from "../still-life/camera.ts";
import { blend, toRectangle } from "../still-life/distances.ts";
import { glossAt } from "../still-life/gloss.ts";
import type { Solids } from "../still-life/solids.ts";
import { stillLife } from "../still-life/still-life.ts";

/** Millimetres. */
const RADIUS = 41;
const HEIGHT = 96;
const WALL = 4;
const FOOT = 3;

/** The print's edges above the table, and its length around the mug. */
const PRINT_TOP = 91;
const PRINT_BOTTOM = 6;
const PRINT = { width: 228, height: PRINT_TOP - PRINT_BOTTOM };

/** Angle of the handle around the axis, from the camera's side to the right. */
const HANDLE = 1.26;
const HANDLE_COS = Math.cos(HANDLE);
const HANDLE_SIN = Math.sin(HANDLE);

/** The handle: a rounded bar bent into a half oval. */
const BOW_HEIGHT = 29;
const BOW_DEPTH = 27;
const BOW_MIDDLE = 47;

const WHITE = [0.84, 0.83, 0.8] as const;

function toBody(x: number, y: number, z: number): number {
  const radius = length2(x, z);
  const half = 0.5 * (HEIGHT - FOOT);
  const wall = toRectangle(
    radius - RADIUS + 0.5 * WALL,
    y - FOOT - half,
    0.5 * WALL,
    half,
    0.48 * WALL,
  );
  // Far above the floor only the wall is near.
  if (y > 24) return wall;
  const floor = toRectangle(radius, y - 7, RADIUS - 2, 5, 3);
  const foot = toRectangle(radius, y - 4, RADIUS - 4.5, 4, 1.5);
  return blend(Math.min(wall, foot), floor, 5);
}

/** To the handle, an oval around (RADIUS − 3, BOW_MIDDLE) in the plane of the handle. */
function toHandle(x: number, y: number, z: number): number {
  const out = x * HANDLE_SIN + z * HANDLE_COS;
  const side = x * HANDLE_COS - z * HANDLE_SIN;
  const px = (out - RADIUS + 1) / BOW_DEPTH;
  const py = (y - BOW_MIDDLE) / BOW_HEIGHT;
  const k = length2(px, py);
  const slope = length2(px / BOW_DEPTH, py / BOW_HEIGHT);
  const ring = (k * (k - 1)) / Math.max(slope, 1e-4);
  const bar = toRectangle(ring, side, 4.2, 6.6, 4);
  return Math.max(bar, RADIUS - WALL - out + 1);
}

const solids: Solids = {
  distance(x, y, z) {
    const body = toBody(x, y, z);
    // The handle begins where it leaves the body; a point on the other side is as far from it.
    const out = x * HANDLE_SIN + z * HANDLE_COS;
    if (out < RADIUS - 14) return Math.min(body, RADIUS - WALL + 1 - out);
    return blend(body, 0.9 * toHandle(x, y, z), 7);
  },
  low: [-RADIUS - 1, 0, -RADIUS - 1],
  high: [RADIUS + 38, HEIGHT + 1, RADIUS + 26],
};

const camera = cameraAt({ eye: [0, 235, 640], target: [9, 46, 0], scale: 9.4 });

export const mug = (): Scene =>
  stillLife({
    camera,
    solids,
    table: [0.74, 0.71, 0.67],
    wall: [0.8, 0.785, 0.76],
    sweep: [120, 900],
    show(place, fragment) {
      const { x, y, z, normal, light } = place;
      const radius = length2(x, z);
      const inside = radius < RADIUS - 0.8 && y > FOOT;
      const handle = toHandle(x, y, z) < toBody(x, y, z) + 0.3;
      const gloss = glossAt(place);
      const deep = inside ? 0.62 + 0.38 * smoothstep(-10, HEIGHT, y) : 1;
      fragment.piece = inside ? 2 : 1;
      if (handle) fragment.piece = 3;
      paint(fragment, WHITE, light * deep, gloss);
      const outward = (normal.x * x + normal.z * z) / radius;
      if (handle || inside || outward < 0.97) return;
      // The seam of the print is behind the handle.
      const angle = Math.atan2(x, z) - HANDLE;
      const around = angle < -Math.PI ? angle + 2 * Math.PI : angle;
      const from = (around > 0 ? around - 2 * Math.PI : around) * RADIUS + Math.PI * RADIUS;
      const v = PRINT_TOP - y;
      if (Math.abs(from) > 0.5 * PRINT.width || v < 0 || v > PRINT.height) return;
      fragment.piece = 4;
      print(fragment, from + 0.5 * PRINT.width, v, 1.02 * light, gloss);
    },
  });
