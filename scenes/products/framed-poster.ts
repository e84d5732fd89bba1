/** A poster in an oak frame with a passe-partout, straight on, on a wall by a window. */
import { type Book, type Pile, sampleBooks } from "../interior/books.ts";
import { daylightAt } from "../interior/daylight.ts";
import { type Foliage, growSprig, sampleSprig, shadowOfSprig } from "../interior/sprig.ts";
import { lightOnVase, shadowOfVase, type Vase } from "../interior/vase.ts";
import { grainOf } from "../interior/wood.ts";
import { clouds, hash, noise } from "../noise.ts";
import { clear, paint, print } from "../paint.ts";
import { smoothstep } from "../scalars.ts";
import type { Fragment, Scene } from "../scene.ts";
import { toRectangle } from "../still-life/distances.ts";

/** Units of the picture to a millimetre. */
const SCALE = 1.6;

const PRINT = { width: 440, height: 620 };

/** Millimetres. */
const MAT = 48;
const FRAME = 17;

/** Middle of the frame in the picture. */
const X = 760;
const Y = 690;

/** Upper edge of the sideboard. */
const BOARD = 1440;

const VASE: Vase = { x: 1390, foot: BOARD + 6, height: 250, belly: 86 };
const SPRIG = growSprig(VASE.x, BOARD - 225, 1, [
  { lean: -0.42, length: 380, bend: -0.35 },
  { lean: 0.05, length: 470, bend: -0.16 },
  { lean: 0.4, length: 330, bend: 0.4 },
]);

/** Books beside the vase. */
const PILE: Pile = {
  x: 310,
  foot: BOARD,
  books: [
    { at: 0, width: 320, height: 42, colour: [0.62, 0.56, 0.47] },
    { at: 9, width: 286, height: 34, colour: [0.2, 0.27, 0.29] },
  ],
};

/** Offset of shadows on the wall, in units. */
const FALL = { x: 30, y: 26 };

const WALL = [0.77, 0.745, 0.7] as const;
const OAK = [0.56, 0.39, 0.235] as const;
const MAT_COLOUR = [0.8, 0.79, 0.765] as const;
const CUT = [0.93, 0.93, 0.91] as const;
const PAPER = [0.9, 0.9, 0.88] as const;
const LEAF = [0.36, 0.42, 0.335] as const;
const POT = [0.8, 0.765, 0.715] as const;

/** Returns the light on the wall: a window on the left, and the room. */
function lightOn(x: number, y: number): number {
  const room = 0.86 - 0.14 * smoothstep(200, 1900, x + 0.4 * y);
  return room + 0.2 * daylightAt(x, y, 60, -120);
}

const HALF_WIDTH = SCALE * (0.5 * PRINT.width + MAT + FRAME);
const HALF_HEIGHT = SCALE * (0.5 * PRINT.height + MAT + FRAME);

function toFrame(x: number, y: number): number {
  return toRectangle(x - X, y - Y, HALF_WIDTH, HALF_HEIGHT, 1.5);
}

function lookAtWall(x: number, y: number, fragment: Fragment): void {
  const castShadow = smoothstep(34, -26, toFrame(x - FALL.x, y - FALL.y));
  const near = smoothstep(26, -4, toFrame(x - 5, y - 7));
  const vase = shadowOfVase(VASE, x - 1.6 * FALL.x, y - FALL.y, 22);
  const leaves = shadowOfSprig(SPRIG, x - 1.6 * FALL.x, y - 1.4 * FALL.y, 9);
  const board = smoothstep(80, 0, BOARD - y);
  const shade = (1 - 0.3 * castShadow) * (1 - 0.28 * near) * (1 - 0.3 * vase) * (1 - 0.26 * leaves);
  const plaster = 0.985 + 0.022 * clouds(x * 0.012, y * 0.012, 3) + 0.012 * noise(x * 0.3, y * 0.3);
  fragment.piece = 0;
  paint(fragment, WALL, lightOn(x, y) * shade * plaster * (1 - 0.16 * board));
}

/** Glass, passe-partout and print. */
function lookInside(x: number, y: number, fragment: Fragment): void {
  const px = (x - X) / SCALE;
  const py = (y - Y) / SCALE;
  const left = px + 0.5 * PRINT.width;
  const top = py + 0.5 * PRINT.height;
  const edge = toRectangle(px, py, 0.5 * PRINT.width, 0.5 * PRINT.height, 0);
  // The frame shades it on the left and at the top.
  const fromLeft = left + MAT;
  const fromTop = top + MAT;
  const rim = 1 - 0.3 * Math.exp(-fromLeft / 5) - 0.34 * Math.exp(-fromTop / 6);
  const light = 1.13 * lightOn(x, y) * rim;
  const glass = 0.02 + 0.03 * smoothstep(-0.35, 0.2, (px - 0.75 * py) / PRINT.height);
  const pane = glass * smoothstep(0.62, 0.25, (px - 0.75 * py) / PRINT.height);
  const mirrored = 0.35 * pane;
  if (edge < 0) {
    // The cut edge of the passe-partout lies above the paper.
    const cut = 1 - 0.22 * Math.exp(-left / 2.2) - 0.26 * Math.exp(-top / 2.6);
    fragment.piece = 4;
    paint(fragment, PAPER, light * cut, mirrored);
    print(fragment, left, top, light * cut, mirrored);
  } else if (edge < 1.7) {
    // A bevel of 45°: two sides face the window, two do not.
    fragment.piece = 3;
    const lit = Math.abs(px) - 0.5 * PRINT.width > Math.abs(py) - 0.5 * PRINT.height ? px : py;
    paint(fragment, CUT, light * (lit > 0 ? 1.04 : 0.8), mirrored);
  } else {
    fragment.piece = 2;
    paint(fragment, MAT_COLOUR, light * (0.99 + 0.02 * noise(px * 2, py * 2)), mirrored);
  }
}

function lookAtFrame(x: number, y: number, fragment: Fragment): void {
  const outX = HALF_WIDTH - Math.abs(x - X);
  const outY = HALF_HEIGHT - Math.abs(y - Y);
  const upright = outX < outY;
  const across = (upright ? outX : outY) / (FRAME * SCALE);
  const [side, along] = upright ? [x - X, y] : [y - Y, x];
  // Left and upper bar face the light; each is rounded towards its edges.
  const facing = side < 0 ? 1.02 : 0.9;
  const round = 0.84 + 0.2 * smoothstep(0, 0.16, across) - 0.16 * smoothstep(0.84, 1, across);
  const bar = (upright ? 1 : 3) + (side < 0 ? 0 : 1);
  const grain = grainOf(along / SCALE, across * FRAME, bar);
  fragment.piece = 10 + bar;
  paint(fragment, OAK, lightOn(x, y) * facing * round * (1.22 - 0.62 * grain));
}

/** Paints the sideboard and the objects on it; returns false outside them. */
function paintSideboard(
  x: number,
  y: number,
  leaf: Foliage,
  book: Book,
  fragment: Fragment,
): boolean {
  const vase = lightOnVase(VASE, x, y);
  sampleSprig(SPRIG, x, y, leaf);
  if (vase >= 0) {
    fragment.piece = 20;
    const speckle = hash(Math.round(x / 3), Math.round(y / 3)) > 0.985 ? 0.86 : 1;
    paint(fragment, POT, vase * speckle);
    return true;
  }
  if (leaf.index > 0) {
    fragment.piece = 30 + leaf.index;
    paint(fragment, LEAF, leaf.light * lightOn(x, y));
    return true;
  }
  sampleBooks(PILE, x, y, book);
  if (book.index > 0) {
    fragment.piece = 21 + book.index;
    paint(fragment, book.colour, lightOn(x, y) * book.light);
    return true;
  }
  if (y < BOARD) return false;
  fragment.piece = 25;
  const front = y - BOARD > 34;
  const grain = grainOf(x / SCALE, (y - BOARD) / SCALE, front ? 8 : 9);
  const edge = front ? 0.62 + 0.2 * smoothstep(0, 40, y - BOARD - 34) : 1.02;
  const under = smoothstep(150, 20, Math.abs(x - VASE.x)) * smoothstep(20, 0, y - BOARD);
  fragment.piece = front ? 26 : 25;
  paint(fragment, OAK, 0.92 * edge * (1.2 - 0.6 * grain) * (1 - 0.3 * under));
  return true;
}

export const framedPoster = (): Scene => {
  const leaf: Foliage = { index: 0, light: 0 };
  const book: Book = { index: 0, colour: WALL, light: 0 };
  return {
    sample(x, y, fragment) {
      clear(fragment);
      if (paintSideboard(x, y, leaf, book, fragment)) return;
      const depth = -toFrame(x, y);
      if (depth < 0) lookAtWall(x, y, fragment);
      else if (depth < FRAME * SCALE) lookAtFrame(x, y, fragment);
      else lookInside(x, y, fragment);
    },
  };
};
