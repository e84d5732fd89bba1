/** Wrapping paper: a present with a satin ribbon, and the rest of the roll in front of it. */
import { findPaper, type OnPaper, toWrapped } from "../gift/box.ts";
import { toRibbon } from "../gift/ribbon.ts";
import { noise } from "../noise.ts";
import { paint, print } from "../paint.ts";
import { length2, smoothstep } from "../scalars.ts";
import type { Fragment, Scene } from "../scene.ts";
import { cameraAt } from "../still-life/camera.ts";
import { toExtrusion } from "../still-life/distances.ts";
import { glossAt } from "../still-life/gloss.ts";
import { sheenAt } from "../still-life/sheen.ts";
import type { Solids } from "../still-life/solids.ts";
import { type Place, stillLife } from "../still-life/still-life.ts";

/** The roll: its radius, its core's, and half its length, in millimetres. */
const ROLL = { radius: 19, core: 14, half: 150 };

/** Rotation about the upright axis and position of box and roll. */
const BOX = { cos: Math.cos(0.56), sin: Math.sin(0.56), x: -6, z: -18 };
const PAPER_ROLL = { cos: Math.cos(-0.3), sin: Math.sin(-0.3), x: -8, z: 128 };

/** Tolerance of a visible point's distance to its solid, in millimetres. */
const TOUCHES = 0.1;

const PAPER = [0.84, 0.83, 0.8] as const;
const SATIN = [0.9, 0.84, 0.74] as const;
const CARD = [0.55, 0.43, 0.31] as const;

type Axes = typeof BOX;
const along = (axes: Axes, x: number, z: number) =>
  (x - axes.x) * axes.cos - (z - axes.z) * axes.sin;
const across = (axes: Axes, x: number, z: number) =>
  (x - axes.x) * axes.sin + (z - axes.z) * axes.cos;

/** Signed distance to the roll, in its own axes. */
function toRoll(x: number, y: number, z: number): number {
  const radius = length2(y - ROLL.radius, z);
  const tube = Math.abs(radius - 0.5 * (ROLL.radius + ROLL.core)) - 0.5 * (ROLL.radius - ROLL.core);
  return toExtrusion(tube, x, ROLL.half, 0.3);
}

const solids: Solids = {
  distance(x, y, z) {
    const bx = along(BOX, x, z);
    const bz = across(BOX, x, z);
    const box = toWrapped(bx, y, bz);
    const wrapped = Math.min(box, toRibbon(bx, y, bz, box));
    const rz = across(PAPER_ROLL, x, z);
    if (Math.abs(rz) - ROLL.radius > wrapped) return wrapped;
    return Math.min(wrapped, toRoll(along(PAPER_ROLL, x, z), y, rz));
  },
  low: [-175, 0, -135],
  high: [175, 160, 195],
};

const camera = cameraAt({ eye: [20, 470, 880], target: [2, 52, 20], scale: 4.35 });

function printOn(fragment: Fragment, u: number, v: number, light: number, gloss: number): void {
  paint(fragment, PAPER, light, gloss);
  print(fragment, u, v, 1.04 * light, gloss);
}

/** The point in the axes of the box, or of the roll. */
const own = { x: 0, y: 0, z: 0 };

function paintRibbon(place: Place, fragment: Fragment): void {
  const { x, y, z } = own;
  const threads = 0.97 + 0.05 * noise(x * 1.4 + y, z * 1.4 - y);
  const sheen = 0.32 * sheenAt(place, 22) + 0.18 * sheenAt(place, 5);
  // Parts of the bow that overlap differ in their normals.
  const lean = Math.round(2 * Math.atan2(place.normal.x, place.normal.z));
  fragment.piece = 40 + lean;
  paint(fragment, SATIN, 0.98 * place.light * threads, sheen);
}

function paintRoll(place: Place, fragment: Fragment): void {
  const { x, y, z } = own;
  const up = y - ROLL.radius;
  const radius = length2(up, z);
  const gloss = 0.5 * glossAt(place) + 0.05 * sheenAt(place, 14);
  if (radius < ROLL.radius - 0.4 && Math.abs(x) > ROLL.half - 1) {
    // The paper's turns, seen from the end, and the tube of card in them.
    const turns = 0.8 + 0.2 * Math.sin(radius * 5.2 + Math.atan2(up, z));
    fragment.piece = radius > ROLL.core + 1.4 ? 12 : 13;
    paint(fragment, radius > ROLL.core + 1.4 ? PAPER : CARD, place.light * turns);
  } else if (radius < ROLL.core + 0.4) {
    fragment.piece = 14;
    const deep = smoothstep(ROLL.half - 70, ROLL.half, Math.abs(x));
    paint(fragment, CARD, place.light * (0.12 + 0.5 * deep));
  } else {
    const angle = Math.atan2(z, up);
    // The paper's free edge lies along the roll.
    const edge = angle - 0.95 > 0 ? 1 - 0.3 * smoothstep(0.1, 0, angle - 0.95) : 1;
    const free = angle > 0.95;
    fragment.piece = free ? 16 : 15;
    const v = (angle + Math.PI + (free ? 1.7 : 0)) * ROLL.radius;
    printOn(fragment, x + ROLL.half, v, place.light * edge, gloss);
  }
}

export const wrappingPaper = (): Scene => {
  const paper: OnPaper = { part: 0, u: 0, v: 0, light: 1 };
  const facing = { x: 0, y: 0, z: 0 };
  return stillLife({
    camera,
    solids,
    table: [0.73, 0.7, 0.66],
    wall: [0.8, 0.78, 0.75],
    sweep: [160, 800],
    show(place, fragment) {
      const { x, y, z, normal } = place;
      own.y = y;
      own.x = along(PAPER_ROLL, x, z);
      own.z = across(PAPER_ROLL, x, z);
      if (toRoll(own.x, y, own.z) < TOUCHES) {
        paintRoll(place, fragment);
        return;
      }
      own.x = along(BOX, x, z);
      own.z = across(BOX, x, z);
      const box = toWrapped(own.x, y, own.z);
      if (toRibbon(own.x, y, own.z, box) < box) {
        paintRibbon(place, fragment);
        return;
      }
      facing.x = normal.x * BOX.cos - normal.z * BOX.sin;
      facing.y = normal.y;
      facing.z = normal.x * BOX.sin + normal.z * BOX.cos;
      findPaper(own.x, y, own.z, facing, paper);
      const gloss = 0.45 * glossAt(place) + 0.04 * sheenAt(place, 10);
      fragment.piece = paper.part;
      printOn(fragment, paper.u, paper.v, place.light * paper.light, gloss);
    },
  });
};
