/** A notebook with a hard cover, printed on front and spine, with a pen beside it on a table. */
import { hash, noise } from "../noise.ts";
import { paint, print } from "../paint.ts";
import { clamp, length2, smoothstep } from "../scalars.ts";
import type { Fragment, Scene } from "../scene.ts";
import { cameraAt } from "../still-life/camera.ts";
import { toBox } from "../still-life/distances.ts";
import { glossAt } from "../still-life/gloss.ts";
import { sheenAt } from "../still-life/sheen.ts";
import type { Solids } from "../still-life/solids.ts";
import { type Place, stillLife } from "../still-life/still-life.ts";

/** The closed book: half its width and height, and its thickness, in millimetres. */
const HALF = { x: 74, z: 105 };
const THICK = 17;
const BOARD = 2.6;

/** The cover lies flat for printing: back, spine, front. */
const PRINT = { width: 4 * HALF.x + THICK, height: 2 * HALF.z };

/** Where the elastic runs, right of the middle. */
const BAND = { x: 57, half: 3 };

const PEN = { x: 118, z: -2, half: 68, radius: 5, lean: 0.16 };
const [PEN_COS, PEN_SIN] = [Math.cos(PEN.lean), Math.sin(PEN.lean)];

const TURN = -0.42;
const [COS, SIN] = [Math.cos(TURN), Math.sin(TURN)];

const CLOTH = [0.8, 0.78, 0.74] as const;
const PAPER = [0.84, 0.81, 0.74] as const;
const DARK = [0.035, 0.035, 0.037] as const;
const BRASS = [0.62, 0.46, 0.23] as const;

function toCover(x: number, y: number, z: number): number {
  const lid = toBox(x, y - THICK + 0.5 * BOARD, z, HALF.x, 0.5 * BOARD, HALF.z, 0.9);
  const base = toBox(x, y - 0.5 * BOARD, z, HALF.x, 0.5 * BOARD, HALF.z, 0.9);
  const spine = toBox(x + HALF.x - 1.2, y - 0.5 * THICK, z, 1.4, 0.5 * THICK, HALF.z, 1);
  return Math.min(lid, base, spine);
}

const toPages = (x: number, y: number, z: number) =>
  toBox(x + 1, y - 0.5 * THICK, z, HALF.x - 3, 0.5 * THICK - 2, HALF.z - 3, 0.3);

const toBand = (x: number, y: number, z: number) =>
  toBox(x - BAND.x, y - 0.5 * THICK, z, BAND.half, 0.5 * THICK + 0.7, HALF.z + 0.7, 0.5);

/** To the pen: a rod that ends in a cone. */
function toPen(x: number, y: number, z: number): number {
  const along = (z - PEN.z) * PEN_COS - (x - PEN.x) * PEN_SIN;
  const side = (x - PEN.x) * PEN_COS + (z - PEN.z) * PEN_SIN;
  const tip = smoothstep(PEN.half - 19, PEN.half, along);
  const radius = PEN.radius - 3.9 * tip;
  const beside = length2(side, y - PEN.radius) - radius;
  return 0.9 * Math.max(beside, Math.abs(along) - PEN.half);
}

const bookX = (x: number, z: number) => x * COS - z * SIN;
const bookZ = (x: number, z: number) => x * SIN + z * COS;

const solids: Solids = {
  distance(x, y, z) {
    const bx = bookX(x, z);
    const bz = bookZ(x, z);
    const box = toBox(bx, y - 0.5 * THICK, bz, HALF.x + 1, 0.5 * THICK + 1, HALF.z + 1, 0);
    const pen = toPen(bx, y, bz);
    if (box > 2) return Math.min(box, pen);
    return Math.min(pen, toCover(bx, y, bz), toPages(bx, y, bz), toBand(bx, y, bz));
  },
  low: [-120, 0, -150],
  high: [170, THICK + 2, 150],
};

const camera = cameraAt({ eye: [10, 640, 560], target: [12, 6, 2], scale: 5.5 });

/** Cover: laminated linen; the joint beside the spine is pressed in. */
function paintCover(place: Place, x: number, z: number, fragment: Fragment): void {
  const { y } = place;
  const upright = x < -HALF.x + 1.2 && y < THICK - 0.6;
  const joint = upright ? 0 : smoothstep(2.6, 0, Math.abs(x + HALF.x - 9));
  const weave = 0.985 + 0.03 * noise(x * 2.4, z * 0.7) * noise(x * 0.7, z * 2.4);
  const light = place.light * (1 - 0.2 * joint) * weave;
  const gloss = 0.3 * glossAt(place) + 0.05 * sheenAt(place, 9);
  fragment.piece = upright ? 2 : 1;
  paint(fragment, CLOTH, light, gloss);
  const edge = Math.max(Math.abs(x) - HALF.x, Math.abs(z) - HALF.z) > -0.25 && !upright;
  if (edge || (y < THICK - BOARD - 0.1 && !upright)) {
    fragment.piece = 3;
    return;
  }
  const u = 2 * HALF.x + (upright ? y : THICK + x + HALF.x);
  const v = clamp(z + HALF.z, 0, PRINT.height);
  print(fragment, clamp(u, 0, PRINT.width), v, 1.05 * light, gloss);
}

function paintPages(place: Place, x: number, z: number, fragment: Fragment): void {
  const sheet = Math.floor(place.y / 0.32);
  const tone = 0.8 + 0.2 * hash(sheet, 5) + 0.05 * noise(x * 0.3 + z * 0.3, sheet);
  fragment.piece = 4;
  paint(fragment, PAPER, place.light * tone, 0);
}

function paintPen(place: Place, x: number, z: number, fragment: Fragment): void {
  const along = (z - PEN.z) * PEN_COS - (x - PEN.x) * PEN_SIN;
  const brass = along > PEN.half - 20 || Math.abs(along - 12) < 2.4 || along < -PEN.half + 3;
  const gloss = glossAt(place);
  fragment.piece = brass ? 6 : 7;
  if (!brass) {
    paint(fragment, DARK, place.light, 1.1 * gloss + 0.25 * sheenAt(place, 40));
    return;
  }
  const metal = 0.35 + 0.9 * place.light + 1.4 * sheenAt(place, 24);
  paint(fragment, BRASS, metal, gloss);
}

export const notebook = (): Scene =>
  stillLife({
    camera,
    solids,
    table: [0.69, 0.655, 0.61],
    wall: [0.69, 0.655, 0.61],
    sweep: [400, 1200],
    show(place, fragment) {
      const x = bookX(place.x, place.z);
      const z = bookZ(place.x, place.z);
      const { y } = place;
      const cover = toCover(x, y, z);
      const band = toBand(x, y, z);
      const pages = toPages(x, y, z);
      const nearest = Math.min(cover, band, pages, toPen(x, y, z));
      if (nearest === cover) paintCover(place, x, z, fragment);
      else if (nearest === pages) paintPages(place, x, z, fragment);
      else if (nearest === band) {
        fragment.piece = 5;
        const threads = 0.9 + 0.2 * noise(x * 3.4, z * 0.8);
        paint(fragment, DARK, 1.5 * place.light * threads, 0.015 * sheenAt(place, 6));
      } else paintPen(place, x, z, fragment);
    },
  });
