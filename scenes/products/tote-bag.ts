/** A tote bag of canvas that hangs from a peg by its handles. */
import { backdropOf } from "../cloth/backdrop.ts";
import { clothOf } from "../cloth/cloth.ts";
import { LAYER } from "../cloth/cloth-point.ts";
import { curveThrough, type Point, sideOf } from "../cloth/curve.ts";
import { lightCloth } from "../cloth/light-cloth.ts";
import { linesOf, outlineOf } from "../cloth/outline.ts";
import { refine } from "../cloth/refine.ts";
import { softShadow } from "../cloth/soft-shadow.ts";
import { stitchesBeside } from "../cloth/stitches.ts";
import { plainWeave } from "../cloth/texture.ts";
import { panel } from "../cloth/tote-bag/panel.ts";
import { paintPeg } from "../cloth/tote-bag/peg.ts";
import {
  BACK_EDGE,
  BACK_HANDLE,
  FRONT_HANDLE,
  HANDLE_DOWN,
  HANDLE_STITCHES,
  PEG,
} from "../cloth/tote-bag/shapes.ts";
import { COTTON, paintWebbing, webbingHalfWidth } from "../cloth/tote-bag/webbing.ts";
import { clamp, length2, smoothstep } from "../scalars.ts";
import type { Fragment, Scene } from "../scene.ts";

const VIEW = { scale: 2.3, left: 800, top: 562 };
const WINDOW = { left: 300, top: 530, width: 1000, height: 1060 };
const LIGHTING = { lamp: 0.72, wrap: 0.12, depth: 1.8, sheen: 0.03, gloss: 0.008, level: 0.95 };
const WALL = [0.76, 0.745, 0.72] as const;

const PIECES = { peg: 10, frontHandle: 11, back: 12, backHandle: 13 } as const;

/** Rows of stitches in the upper hem, and those that hold the handles, in pixels. */
const HEM = [{ from: 52, pitch: 7 }];
const BOX = [{ from: 0, pitch: 6 }];

const inPixels = (points: readonly Point[]): Point[] =>
  points.map(({ x, y }) => ({ x: x * VIEW.scale + VIEW.left, y: y * VIEW.scale + VIEW.top }));

const [PEG_MIDDLE] = inPixels([PEG]);
const PEG_RADIUS = PEG.radius * VIEW.scale;
const HANDLE_END = VIEW.top + HANDLE_DOWN * VIEW.scale;

/** Returns how much the webbing is edge-on at a row of pixels, 0…1. */
const turningAt = (y: number): number => smoothstep(VIEW.top - 60, PEG_MIDDLE.y + 20, y);

export function toteBag(): Scene {
  const sheet = refine(panel(), 5);
  const cloth = clothOf(sheet, VIEW, WINDOW, LIGHTING);
  const front = outlineOf(
    (["top", "right", "bottom", "left"] as const).flatMap((side) => sideOf(sheet, side, VIEW, 5)),
    40,
  );
  const upperEdge = sideOf(sheet, "top", VIEW, 5);
  const [leftCorner, rightCorner] = [upperEdge[0], upperEdge[upperEdge.length - 1]];
  const behind = curveThrough([leftCorner, ...inPixels(BACK_EDGE), rightCorner], false);
  const back = outlineOf(
    [
      ...behind,
      ...inPixels([
        { x: 140, y: 90 },
        { x: -140, y: 90 },
      ]),
    ],
    40,
  );
  const backEdge = linesOf([behind], 60);
  const frontHandle = linesOf([inPixels(FRONT_HANDLE)], 60);
  const backHandle = linesOf([inPixels(BACK_HANDLE)], 60);
  const hem = stitchesBeside(linesOf([upperEdge], 70), HEM);
  const box = stitchesBeside(linesOf(HANDLE_STITCHES.map(inPixels), 14), BOX);
  const weave = plainWeave(1.25);

  const beyondPeg = (x: number, y: number) =>
    length2(x - PEG_MIDDLE.x, y - PEG_MIDDLE.y) - PEG_RADIUS;
  const beyondHandle = (x: number, y: number) =>
    Math.max(frontHandle.distance(x, y) - webbingHalfWidth(turningAt(y)), y - HANDLE_END);
  const beyondBackHandle = (x: number, y: number) =>
    backHandle.distance(x, y) - webbingHalfWidth(turningAt(y));

  const covers = (distance: number) => smoothstep(6, -6, distance);
  const bag = (x: number, y: number) => covers(Math.min(front.distance(x, y), back.distance(x, y)));
  const straps = (x: number, y: number) =>
    covers(Math.min(beyondHandle(x, y), beyondBackHandle(x, y), beyondPeg(x, y)));
  const castShadow = softShadow((x, y) => bag(x - 60, y - 66), 110);
  const contact = softShadow((x, y) => bag(x - 10, y - 14), 30);
  const strapCast = softShadow((x, y) => straps(x - 34, y - 38), 34);
  const backdrop = backdropOf({ wall: WALL });

  const paintBack = (x: number, y: number, fragment: Fragment) => {
    const deep = smoothstep(-2, 26, -front.distance(x, y) + 26);
    const light =
      (0.86 - 0.5 * deep) *
      (1 - 0.2 * smoothstep(5, 0, backEdge.distance(x, y))) *
      (1 + 0.08 * weave(x / VIEW.scale, y / VIEW.scale));
    fragment.mask = fragment.u = fragment.v = fragment.shading = fragment.highlight = 0;
    fragment.red = COTTON[0] * light;
    fragment.green = COTTON[1] * light;
    fragment.blue = COTTON[2] * light;
  };

  return {
    sample(x, y, fragment) {
      const toPeg = beyondPeg(x, y);
      if (toPeg < 0) {
        fragment.piece = PIECES.peg;
        paintPeg(x - PEG_MIDDLE.x, y - PEG_MIDDLE.y, PEG_RADIUS, fragment);
        return;
      }
      const toHandle = beyondHandle(x, y);
      if (toHandle < 0) {
        fragment.piece = PIECES.frontHandle;
        const light = (0.98 - 0.4 * smoothstep(20, 0, toPeg)) * box(x, y);
        paintWebbing(frontHandle, x, y, turningAt(y), light, fragment);
        return;
      }
      const toFront = front.distance(x, y);
      const layer = toFront < 0 ? cloth(x, y, fragment) : LAYER.none;
      if (layer !== LAYER.none) {
        fragment.piece = layer;
        fragment.mask = 1;
        const shade =
          1 - 0.4 * smoothstep(12, 0, toHandle) * smoothstep(HANDLE_END + 12, HANDLE_END, y);
        const light = shade * hem(x, y) * (1 + 0.07 * weave(fragment.u, fragment.v));
        lightCloth(fragment, light);
      } else if (back.distance(x, y) < 0) {
        fragment.piece = PIECES.back;
        paintBack(x, y, fragment);
      } else if (beyondBackHandle(x, y) < 0) {
        fragment.piece = PIECES.backHandle;
        const light = 0.8 - 0.35 * smoothstep(22, 0, Math.min(toPeg, toHandle));
        paintWebbing(backHandle, x, y, turningAt(y), light, fragment);
      } else {
        const shadow = 0.3 * castShadow(x, y) + 0.42 * contact(x, y) + 0.36 * strapCast(x, y);
        backdrop(x, y, clamp(shadow, 0, 0.8), fragment);
      }
    },
  };
}
