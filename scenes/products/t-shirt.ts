/** A T-shirt on an invisible body, printed all over. */
import { backdropOf } from "../cloth/backdrop.ts";
import { clothOf } from "../cloth/cloth.ts";
import { LAYER, type Layer } from "../cloth/cloth-point.ts";
import { curveThrough, type Point, type Side, sideOf } from "../cloth/curve.ts";
import { lightCloth } from "../cloth/light-cloth.ts";
import { linesOf, outlineOf } from "../cloth/outline.ts";
import { refine } from "../cloth/refine.ts";
import type { Sheet } from "../cloth/sheet.ts";
import { softShadow } from "../cloth/soft-shadow.ts";
import { stitchesBeside } from "../cloth/stitches.ts";
import { lightCollar, paintNeck } from "../cloth/t-shirt/collar.ts";
import {
  ARMPIT,
  BACK_EDGE,
  BACK_LINE,
  COLLAR_EDGE,
  COLLAR_SEAM,
  mirrored,
  SHOULDER,
  SLEEVE_CAP,
} from "../cloth/t-shirt/shapes.ts";
import { sleeve } from "../cloth/t-shirt/sleeve.ts";
import { torso } from "../cloth/t-shirt/torso.ts";
import { fibres } from "../cloth/texture.ts";
import { clamp, smoothstep } from "../scalars.ts";
import type { Scene } from "../scene.ts";

const VIEW = { scale: 1.92, left: 800, top: 116 };
const ARMPIT_ROW = VIEW.top + VIEW.scale * ARMPIT;
const FRONT_WINDOW = { left: 280, top: 100, width: 1040, height: 1480 };
const SLEEVE_WINDOWS = {
  left: { left: 40, top: 150, width: 460, height: 660 },
  right: { left: 1100, top: 150, width: 460, height: 660 },
};
const LIGHTING = { lamp: 0.82, wrap: 0.1, depth: 2.2, sheen: 0.04, gloss: 0.01, level: 0.97 };
const WALL = [0.76, 0.745, 0.72] as const;

/** Two rows of stitches, as a coverlock machine sews hems. */
const HEM = [
  { from: 34, pitch: 6.4 },
  { from: 43, pitch: 6.4 },
];

/** Numbers of surfaces, with gaps for a cloth's layers. */
const PIECES = { front: 10, right: 20, left: 30, collar: 40, neck: 41 } as const;

/** Position of the sleeves on the print, away from its edges. */
const SLEEVE_CUT = { right: { u: 272, v: 60 }, left: { u: 30, v: 60 } } as const;

const inPixels = (points: readonly Point[]): Point[] =>
  points.map(({ x, y }) => ({ x: x * VIEW.scale + VIEW.left, y: y * VIEW.scale + VIEW.top }));

/** Returns the part of a sheet's side below `height`, in millimetres. */
const below = (sheet: Sheet, side: Side, height: number): Point[] =>
  sideOf(sheet, side, VIEW, 4)
    .slice(6, -6)
    .filter(({ y }) => y > VIEW.top + height * VIEW.scale);

/** Returns the lower edge of a sheet without its corners, for rounded ends. */
const hemLine = (sheet: Sheet): Point[] => sideOf(sheet, "bottom", VIEW, 4).slice(3, -3);

/** Returns the outline of the right sleeve, or the left one's mirrored: over its cap and around its rim. */
function sleeveLine(sheet: Sheet, outer: Side): Point[] {
  const cap = inPixels(outer === "right" ? SLEEVE_CAP : mirrored(SLEEVE_CAP));
  const outside = below(sheet, outer, 200);
  const inside = below(sheet, outer === "right" ? "left" : "right", 140);
  const hem = hemLine(sheet);
  return outer === "right"
    ? [...curveThrough([...cap, ...outside.slice(0, 2)], false), ...outside, ...hem, ...inside]
    : [...inside, ...hem, ...outside, ...curveThrough([...outside.slice(-2), ...cap], false)];
}

/** All outlines in pixels. */
function outlines(front: Sheet, right: Sheet, left: Sheet) {
  return {
    front: outlineOf(
      [
        ...inPixels(SHOULDER),
        ...below(front, "right", ARMPIT + 6),
        ...hemLine(front),
        ...below(front, "left", ARMPIT + 6),
        ...inPixels(mirrored(SHOULDER)),
        ...inPixels(COLLAR_SEAM).reverse(),
      ],
      40,
    ),
    right: outlineOf(sleeveLine(right, "right"), 40),
    left: outlineOf(sleeveLine(left, "left"), 40),
    collar: outlineOf(inPixels([...COLLAR_SEAM, ...COLLAR_EDGE.toReversed()]), 40),
    opening: outlineOf(inPixels([...COLLAR_EDGE, ...BACK_EDGE.toReversed()]), 60),
    hem: linesOf([hemLine(front)], 60),
    cuffs: linesOf([hemLine(right), hemLine(left)], 60),
    neck: {
      seam: linesOf([inPixels(COLLAR_SEAM)], 60),
      edge: linesOf([inPixels(COLLAR_EDGE)], 60),
      behind: linesOf([inPixels(BACK_LINE)], 220),
    },
  };
}

export function tShirt(): Scene {
  const front = refine(torso(), 4);
  const right = refine(sleeve(1), 4);
  const left = refine(sleeve(-1), 4);
  const lines = outlines(front, right, left);
  const frontCloth = clothOf(front, VIEW, FRONT_WINDOW, LIGHTING);
  /** The body's shadow is deeper on the side away from the lamp. */
  const sleeves = [
    {
      outline: lines.right,
      cloth: clothOf(right, VIEW, SLEEVE_WINDOWS.right, LIGHTING),
      piece: PIECES.right,
      cut: SLEEVE_CUT.right,
      shade: { depth: 0.5, reach: 26 },
    },
    {
      outline: lines.left,
      cloth: clothOf(left, VIEW, SLEEVE_WINDOWS.left, LIGHTING),
      piece: PIECES.left,
      cut: SLEEVE_CUT.left,
      shade: { depth: 0.35, reach: 22 },
    },
  ];
  const hem = stitchesBeside(lines.hem, HEM);
  const cuff = stitchesBeside(lines.cuffs, HEM);
  const fibre = fibres(0.8);
  const covers = (x: number, y: number) =>
    smoothstep(
      6,
      -6,
      Math.min(
        lines.front.distance(x, y),
        lines.right.distance(x, y),
        lines.left.distance(x, y),
        lines.opening.distance(x, y),
      ),
    );
  const castShadow = softShadow((x, y) => covers(x - 70, y - 60), 130);
  const contact = softShadow((x, y) => covers(x - 9, y - 12), 32);
  const backdrop = backdropOf({ wall: WALL });
  return {
    sample(x, y, fragment) {
      fragment.mask = 1;
      if (lines.collar.distance(x, y) < 0) {
        fragment.piece = PIECES.collar;
        fragment.u = 40 + lines.neck.seam.along(x, y) / VIEW.scale;
        fragment.v = 60 - lines.neck.seam.distance(x, y) / VIEW.scale;
        lightCollar(lines.neck, x, y, fragment);
        lightCloth(fragment, 1);
        return;
      }
      const toFront = lines.front.distance(x, y);
      let layer: Layer = LAYER.none;
      let light = 1;
      if (toFront < 0) {
        layer = frontCloth(x, y, fragment);
        fragment.piece = PIECES.front + layer;
        // The seams of armholes and collar draw the cloth in.
        const seam = y < ARMPIT_ROW ? smoothstep(9, 0, -toFront) : 0;
        light = 1 - 0.22 * seam - 0.25 * smoothstep(12, 0, lines.neck.seam.distance(x, y));
        light *= hem(x, y);
      }
      for (const { outline, cloth, piece, cut, shade } of sleeves) {
        if (layer !== LAYER.none || outline.distance(x, y) >= 0) continue;
        layer = cloth(x, y, fragment);
        fragment.piece = piece + layer;
        fragment.u += cut.u;
        fragment.v += cut.v;
        light = (1 - shade.depth * smoothstep(shade.reach, 0, toFront)) * cuff(x, y);
      }
      if (layer !== LAYER.none) {
        light *= 1 + 0.035 * fibre(fragment.u, fragment.v);
        lightCloth(fragment, light);
      } else if (lines.opening.distance(x, y) < 0) {
        fragment.piece = PIECES.neck;
        paintNeck(lines.neck, x, y, fragment);
      } else {
        backdrop(x, y, clamp(0.28 * castShadow(x, y) + 0.4 * contact(x, y), 0, 0.8), fragment);
      }
    },
  };
}
