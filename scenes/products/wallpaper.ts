/** Wallpaper: a wall of a living room with a sideboard, a lamp and a vase, straight on. */
import { daylightAt } from "../interior/daylight.ts";
import { type Sideboard, sampleSideboard, type Woodwork } from "../interior/sideboard.ts";
import { type Foliage, growSprig, sampleSprig, shadowOfSprig } from "../interior/sprig.ts";
import { lightOnVase, shadowOfVase, type Vase } from "../interior/vase.ts";
import { grainOf } from "../interior/wood.ts";
import { noise } from "../noise.ts";
import { clear, paint, print } from "../paint.ts";
import { length2, mix, smoothstep } from "../scalars.ts";
import { type Fragment, MOCKUP_SIZE, type Scene } from "../scene.ts";
import { toRectangle } from "../still-life/distances.ts";

/** Units of the picture to a millimetre of the wall. */
const SCALE = 0.6;

/** Upper edges of the skirting board and of the floor. */
const SKIRTING = 1296;
const FLOOR = 1352;

const SIDEBOARD: Sideboard = {
  left: 330,
  top: 1010,
  width: 960,
  height: 290,
  legs: 112,
  scale: SCALE,
};
const TOP = SIDEBOARD.top;

const VASE: Vase = { x: 1120, foot: TOP + 2, height: 128, belly: 45 };
const SPRIG = growSprig(VASE.x, TOP - 116, 0.62, [
  { lean: -0.5, length: 215, bend: -0.3 },
  { lean: 0.02, length: 290, bend: -0.14 },
  { lean: 0.42, length: 205, bend: 0.42 },
  { lean: -0.2, length: 170, bend: 0.1 },
]);

/** The lamp: a shade like a cut cone over a ball of glazed clay. */
const LAMP = { x: 505, upper: 745, lower: 885, narrow: 74, wide: 112, ball: 54 };

/** Offset of shadows of the objects on the sideboard. */
const FALL = { x: 34, y: 16 };

const PAPER = [0.86, 0.85, 0.82] as const;
const BRASS = [0.5, 0.4, 0.24] as const;
const OAK = [0.46, 0.275, 0.145] as const;
const BOARDS = [0.4, 0.275, 0.175] as const;
const PAINTED = [0.8, 0.785, 0.75] as const;
const CLAY = [0.25, 0.29, 0.27] as const;
const LINEN = [0.93, 0.86, 0.74] as const;
const LEAF = [0.31, 0.38, 0.29] as const;
const POT = [0.78, 0.74, 0.69] as const;

/** Light on the wall: the room's, a window's, and the lamp's upwards and downwards. */
function lightOn(x: number, y: number): number {
  const corner = smoothstep(900, 1700, x) + smoothstep(500, -400, y);
  const room = 0.74 - 0.17 * smoothstep(200, 1900, x + 0.3 * y) - 0.06 * corner;
  const above = smoothstep(1.5, 0.2, length2((x - LAMP.x) / 300, (y - LAMP.upper + 80) / 330));
  const below = smoothstep(1.4, 0.2, length2((x - LAMP.x) / 260, (y - LAMP.lower - 50) / 180));
  return room + 0.28 * daylightAt(x, y, 640, -330) + 0.24 * above + 0.2 * below;
}

function toSideboard(x: number, y: number): number {
  const { left, width, height } = SIDEBOARD;
  return toRectangle(x - left - width / 2, y - TOP - height / 2, width / 2, height / 2, 0);
}

/** Returns the share of light on the wall outside the furniture's shadows. */
function leftBy(x: number, y: number): number {
  const vase = shadowOfVase(VASE, x - FALL.x, y - FALL.y, 16);
  const leaves = shadowOfSprig(SPRIG, x - FALL.x, y - FALL.y, 8);
  const board = smoothstep(90, -60, toSideboard(x - 46, y - 40));
  const close = smoothstep(30, -10, toSideboard(x - 6, y - 8));
  return (1 - 0.42 * vase) * (1 - 0.38 * leaves) * (1 - 0.4 * board) * (1 - 0.34 * close);
}

function lookAtWall(x: number, y: number, fragment: Fragment): void {
  const light = 1.12 * lightOn(x, y) * leftBy(x, y);
  fragment.piece = 1;
  // Paper on plaster is never quite even.
  const uneven = light * (0.985 + 0.03 * noise(x * 0.016, y * 0.016));
  paint(fragment, PAPER, uneven);
  print(fragment, x / SCALE, y / SCALE, uneven, 0);
}

/** Skirting board, its upper edge rounded, and floorboards that run towards the camera. */
function lookBelow(x: number, y: number, fragment: Fragment): void {
  const light = lightOn(x, 1250) * leftBy(x, Math.min(y, SKIRTING + 20));
  if (y < FLOOR) {
    const down = y - SKIRTING;
    const profile = 0.9 + 0.22 * smoothstep(5, 0, down) - 0.16 * smoothstep(4, 0, FLOOR - y);
    fragment.piece = down < 9 ? 2 : 3;
    paint(fragment, PAINTED, light * profile);
    return;
  }
  // The floor in perspective, from a distant eye 1.3 m above it.
  const depth = 5200 / (1 + (y - FLOOR) / 700);
  const across = ((x - MOCKUP_SIZE / 2) * depth) / 5200 / SCALE;
  const board = Math.floor(across / 150);
  const within = across - 150 * board;
  const joint = Math.min(within, 150 - within);
  const grain = grainOf(depth * 1.4, within, board + 20);
  const tone = 0.86 + 0.28 * noise(board * 7.3, 3.1);
  const under =
    smoothstep(60, -40, toSideboard(x, SIDEBOARD.top + 200)) *
    smoothstep(150, 20, Math.abs(y - TOP - SIDEBOARD.height - SIDEBOARD.legs + 14));
  const shine = 0.1 * smoothstep(300, 0, Math.abs(x - 1010 - 0.4 * (y - FLOOR)));
  fragment.piece = 4;
  const seam = 1 - 0.55 * smoothstep(2.4, 0.6, joint);
  const wall = 0.72 + 0.28 * smoothstep(0, 60, y - FLOOR);
  paint(
    fragment,
    BOARDS,
    (0.95 * tone * (1.24 - 0.6 * grain) + shine) * seam * wall * (1 - 0.5 * under),
  );
}

/** Paints the lamp; returns false outside it. */
function lookAtLamp(x: number, y: number, fragment: Fragment): boolean {
  const across = x - LAMP.x;
  if (Math.abs(across) > LAMP.wide || y < LAMP.upper || y > TOP + 4) return false;
  if (y < LAMP.lower) {
    const share = (y - LAMP.upper) / (LAMP.lower - LAMP.upper);
    const at = across / mix(LAMP.narrow, LAMP.wide, share);
    if (Math.abs(at) > 1) return false;
    const bulb = smoothstep(1.1, 0, length2(0.85 * at, 1.5 * (share - 0.55)));
    const threads = 0.97 + 0.04 * noise(x * 0.9, y * 0.12) + 0.03 * noise(x * 0.1, y * 1.1);
    fragment.piece = 6;
    paint(fragment, LINEN, (0.72 + 0.5 * bulb - 0.16 * at * at) * threads);
    return true;
  }
  const up = (TOP + 2 - LAMP.ball - y) / LAMP.ball;
  const at = across / LAMP.ball;
  const radius = length2(at, up);
  if (radius < 1) {
    const depth = Math.sqrt(1 - radius * radius);
    const key = Math.max(0, -0.55 * at + 0.6 * up + 0.58 * depth);
    const glint = smoothstep(0.3, 0.08, length2(at + 0.38, up - 0.42)) * 0.5;
    fragment.piece = 7;
    paint(fragment, CLAY, 0.35 + 0.8 * key + 1.6 * glint);
    return true;
  }
  if (Math.abs(across) > 7) return false;
  fragment.piece = 8;
  paint(fragment, BRASS, 0.8 - 0.06 * across);
  return true;
}

/** Paints the objects in front of the wall; returns false outside them. */
function lookBefore(
  x: number,
  y: number,
  leaf: Foliage,
  wood: Woodwork,
  fragment: Fragment,
): boolean {
  const vase = lightOnVase(VASE, x, y);
  sampleSprig(SPRIG, x, y, leaf);
  if (vase >= 0) {
    fragment.piece = 20;
    paint(fragment, POT, 0.95 * vase);
    return true;
  }
  if (leaf.index > 0) {
    fragment.piece = 30 + leaf.index;
    paint(fragment, LEAF, leaf.light * 0.9);
    return true;
  }
  if (lookAtLamp(x, y, fragment)) return true;
  sampleSideboard(SIDEBOARD, x, y, wood);
  if (wood.part === 0) return false;
  fragment.piece = 10 + wood.part;
  const side = 1.04 - 0.2 * smoothstep(300, 1400, x);
  paint(fragment, OAK, wood.light * side * (1.22 - 0.62 * wood.grain));
  return true;
}

export const wallpaper = (): Scene => {
  const leaf: Foliage = { index: 0, light: 0 };
  const wood: Woodwork = { part: 0, grain: 0, light: 0 };
  return {
    sample(x, y, fragment) {
      clear(fragment);
      if (lookBefore(x, y, leaf, wood, fragment)) return;
      if (y < SKIRTING) lookAtWall(x, y, fragment);
      else lookBelow(x, y, fragment);
    },
  };
};
