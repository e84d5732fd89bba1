/** Wallpaper: a wall of a living room with a sideboard, a lamp, books and a vase, straight on. */
import { type Book, type Pile, sampleBooks, shadowOfBooks } from "../interior/books.ts";
import { daylightAt } from "../interior/daylight.ts";
import { LAMP_PART, type Lamp, type Lamplight, lightOfLamp, sampleLamp } from "../interior/lamp.ts";
import { type Sideboard, sampleSideboard, type Woodwork } from "../interior/sideboard.ts";
import { type Foliage, growSprig, sampleSprig, shadowOfSprig } from "../interior/sprig.ts";
import { lightOnVase, shadowOfVase, type Vase } from "../interior/vase.ts";
import { grainOf } from "../interior/wood.ts";
import { noise } from "../noise.ts";
import { clear, paint, print } from "../paint.ts";
import { length2, smoothstep } from "../scalars.ts";
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
  surface: { height: 26, inset: 32 },
  scale: SCALE,
};
const TOP = SIDEBOARD.top;

/** Where things stand on the sideboard, on the middle of its top. */
const STAND = TOP - 9;

const VASE: Vase = { x: 1120, foot: STAND + 6, height: 128, belly: 45 };
const SPRIG = growSprig(VASE.x, VASE.foot - 118, 0.62, [
  { lean: -0.5, length: 215, bend: -0.3 },
  { lean: 0.02, length: 290, bend: -0.14 },
  { lean: 0.42, length: 205, bend: 0.42 },
  { lean: -0.2, length: 170, bend: 0.1 },
]);

const LAMP: Lamp = {
  x: 505,
  foot: STAND,
  upper: 708,
  lower: 862,
  narrow: 78,
  wide: 122,
  behind: 120,
};

const PILE: Pile = {
  x: 800,
  foot: STAND + 5,
  books: [
    { at: 2, width: 180, height: 18, colour: [0.5, 0.46, 0.39] },
    { at: -5, width: 158, height: 13, colour: [0.24, 0.1, 0.065] },
    { at: 6, width: 139, height: 20, colour: [0.075, 0.095, 0.11] },
  ],
};

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

/** Light on the wall: the room's, a window's, and the lamp's. */
function lightOn(x: number, y: number): number {
  const corner = smoothstep(1000, 1700, x) + smoothstep(460, -400, y);
  const room = 0.62 - 0.18 * smoothstep(200, 1900, x + 0.3 * y) - 0.07 * corner;
  return room + 0.44 * daylightAt(x, y, 640, -330) + 0.62 * lightOfLamp(LAMP, x, y);
}

function toSideboard(x: number, y: number): number {
  const { left, width, height } = SIDEBOARD;
  return toRectangle(x - left - width / 2, y - TOP - height / 2, width / 2, height / 2, 0);
}

/** Returns the share of light on the wall outside the furniture's shadows. */
function leftBy(x: number, y: number): number {
  const board = smoothstep(90, -60, toSideboard(x - 46, y - 40));
  const close = smoothstep(34, -12, toSideboard(x - 6, y - 4));
  const left = (1 - 0.4 * board) * (1 - 0.4 * close);
  if (y > TOP) return left;
  const vase = shadowOfVase(VASE, x - FALL.x, y - FALL.y, 16);
  const leaves = shadowOfSprig(SPRIG, x - FALL.x, y - FALL.y, 8);
  const books = shadowOfBooks(PILE, x - 20, y - 10, 14);
  return left * (1 - 0.46 * vase) * (1 - 0.42 * leaves) * (1 - 0.4 * books);
}

/** Returns the share of light on the sideboard's top beside what stands there. */
function leftOnTop(x: number): number {
  const under = (at: number, half: number) =>
    smoothstep(half + 16, half - 10, Math.abs(x - at - 7));
  const vase = under(VASE.x, 34);
  return (1 - 0.55 * vase) * (1 - 0.55 * under(LAMP.x, 32)) * (1 - 0.5 * under(PILE.x, 84));
}

function lookAtWall(x: number, y: number, fragment: Fragment): void {
  const light = 1.16 * lightOn(x, y) * leftBy(x, y);
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

const LAMP_COLOURS = {
  [LAMP_PART.shade]: LINEN,
  [LAMP_PART.inside]: LINEN,
  [LAMP_PART.body]: CLAY,
  [LAMP_PART.brass]: BRASS,
} as const;

/** What is sampled of things, one at a time. */
interface Samples {
  readonly leaf: Foliage;
  readonly wood: Woodwork;
  readonly lamp: Lamplight;
  readonly book: Book;
}

/** Paints the objects in front of the wall; returns false outside them. */
function lookBefore(x: number, y: number, samples: Samples, fragment: Fragment): boolean {
  const { leaf, wood, lamp, book } = samples;
  const vase = lightOnVase(VASE, x, y);
  sampleSprig(SPRIG, x, y, leaf);
  if (vase >= 0) {
    fragment.piece = 20;
    // The leaves' shade on its neck, and speckles of the clay.
    const shade = 1 - 0.3 * smoothstep(VASE.foot - 70, VASE.foot - 125, y);
    paint(fragment, POT, 0.92 * vase * shade * (0.95 + 0.07 * noise(x * 0.55, y * 0.55)));
    return true;
  }
  if (leaf.index > 0) {
    fragment.piece = 30 + leaf.index;
    // Leaves differ in age; those behind and near the stems are in shade.
    const age = noise(leaf.index * 3.7, 1.3);
    const colour = [LEAF[0] + 0.12 * age, LEAF[1] + 0.05 * age, LEAF[2] - 0.07 * age] as const;
    const inner = length2(x - VASE.x, 0.8 * (y - VASE.foot + 170));
    const shade = 0.6 + 0.4 * smoothstep(10, 170, inner);
    const depth = 0.72 + 0.28 * smoothstep(0, 60, leaf.index);
    paint(fragment, colour, leaf.light * 0.92 * shade * depth);
    return true;
  }
  sampleLamp(LAMP, x, y, lamp);
  if (lamp.part > LAMP_PART.none) {
    fragment.piece = 5 + lamp.part;
    paint(fragment, LAMP_COLOURS[lamp.part as keyof typeof LAMP_COLOURS], lamp.light, lamp.gloss);
    return true;
  }
  sampleBooks(PILE, x, y, book);
  if (book.index > 0) {
    fragment.piece = 24 + book.index;
    paint(fragment, book.colour, book.light);
    return true;
  }
  sampleSideboard(SIDEBOARD, x, y, wood);
  if (wood.part === 0) return false;
  fragment.piece = 10 + wood.part;
  const lit = y < TOP ? leftOnTop(x) * (0.9 + 0.4 * lightOfLamp(LAMP, x, y)) : 1;
  const side = 1.04 - 0.24 * smoothstep(300, 1400, x);
  paint(fragment, OAK, wood.light * lit * side * (1.22 - 0.62 * wood.grain));
  return true;
}

export const wallpaper = (): Scene => {
  const samples: Samples = {
    leaf: { index: 0, light: 0 },
    wood: { part: 0, grain: 0, light: 0 },
    lamp: { part: 0, light: 0, gloss: 0 },
    book: { index: 0, colour: PAPER, light: 0 },
  };
  return {
    sample(x, y, fragment) {
      clear(fragment);
      if (lookBefore(x, y, samples, fragment)) return;
      if (y < SKIRTING) lookAtWall(x, y, fragment);
      else lookBelow(x, y, fragment);
    },
  };
};
