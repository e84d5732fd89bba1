/**
 * Soft folds of a worn front, which a tailor would expect: drawn from where the cloth hangs or is
 * pulled, too broad and shallow for the solver, which finds sharp ones.
 */
import { clamp, length2, mix, smoothstep } from "../../scalars.ts";
import type { Point } from "../curve.ts";
import type { Sheet } from "../sheet.ts";

/** A ridge along a quadratic curve, with a valley on its right as it is walked. Millimetres. */
interface Fold {
  readonly curve: readonly [Point, Point, Point];
  /** At its start and end. */
  readonly width: readonly [number, number];
  readonly height: number;
}

const fold = (
  [x0, y0, x1, y1, x2, y2]: readonly [number, number, number, number, number, number],
  width: readonly [number, number],
  height: number,
): Fold => ({
  curve: [
    { x: x0, y: y0 },
    { x: x1, y: y1 },
    { x: x2, y: y2 },
  ],
  width,
  height,
});

/** Of a front on a body that leans a little on its right leg. */
const FOLDS: readonly Fold[] = [
  // From the armpits across the chest.
  fold([-216, 232, -170, 262, -92, 262], [9, 22], 4.5),
  fold([-222, 252, -172, 330, -98, 398], [9, 26], 7),
  fold([-222, 272, -196, 400, -140, 520], [9, 26], 6.5),
  fold([216, 228, 158, 254, 78, 272], [9, 22], 4.5),
  fold([222, 248, 172, 322, 92, 420], [9, 28], 7.5),
  fold([224, 276, 208, 400, 158, 540], [9, 26], 6.5),
  // From the shoulders to the chest.
  fold([-190, 62, -160, 112, -116, 176], [9, 20], 1.8),
  fold([196, 64, 160, 110, 124, 190], [9, 20], 2.2),
  // Hanging from the chest to the hem, to the leg that bears the weight.
  fold([-70, 330, -112, 520, -128, 716], [8, 26], 5),
  fold([-26, 420, -48, 580, -44, 716], [8, 24], 4),
  fold([64, 350, 52, 540, 24, 716], [8, 28], 5.5),
  fold([120, 420, 116, 580, 100, 716], [8, 22], 4.5),
  // Where the waist lets it sag.
  fold([-226, 440, -182, 494, -104, 520], [8, 22], 5),
  fold([226, 424, 180, 486, 96, 540], [8, 24], 5.5),
];

/** Pieces in which a curve is measured. */
const PIECES = 24;

/** Factor of all heights. */
const LIFT = 1.15;

/** Millimetres by which cloth slides off a slope of 1. */
const SLIDE = 14;

/** Raises the folds on a sheet, and lets the cloth slide with them, so that its print bends. */
export function drape(sheet: Sheet): void {
  const { columns, x, y, z } = sheet;
  const lifts = new Float64Array(x.length);
  for (const { curve, width, height } of FOLDS) {
    const points = Array.from({ length: PIECES + 1 }, (_, k) => pointOn(curve, k / PIECES));
    for (let node = 0; node < x.length; node++) {
      lifts[node] += LIFT * height * ridgeAt(points, width, x[node], y[node]);
    }
  }
  for (let node = 0; node < x.length; node++) z[node] += lifts[node];
  const across = sheet.across;
  for (let node = 0; node < x.length; node++) {
    const column = node % columns;
    if (column > 0 && column < columns - 1) {
      x[node] -= (SLIDE * (lifts[node + 1] - lifts[node - 1])) / (2 * across);
    }
    if (node >= columns && node < x.length - columns) {
      y[node] -= (SLIDE * (lifts[node + columns] - lifts[node - columns])) / (2 * sheet.down);
    }
  }
}

function pointOn([a, b, c]: Fold["curve"], t: number): Point {
  const [p, q, r] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
  return { x: p * a.x + q * b.x + r * c.x, y: p * a.y + q * b.y + r * c.y };
}

/** Returns the height of a ridge at a point, about −0.5…1. */
function ridgeAt(
  points: readonly Point[],
  [from, to]: Fold["width"],
  x: number,
  y: number,
): number {
  let nearest = Number.POSITIVE_INFINITY;
  let at = 0;
  let side = 0;
  for (let k = 0; k + 1 < points.length; k++) {
    const [a, b] = [points[k], points[k + 1]];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const [px, py] = [x - a.x, y - a.y];
    const part = clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0, 1);
    const away = length2(px - part * dx, py - part * dy);
    if (away >= nearest) continue;
    nearest = away;
    at = (k + part) / PIECES;
    side = dx * py - dy * px > 0 ? 1 : -1;
  }
  const q = (side * nearest) / mix(from, to, at);
  const taper = smoothstep(0, 0.4, at) * smoothstep(1, 0.5, at);
  return taper * (Math.exp(-q * q) - 0.5 * Math.exp(-((q - 1.6) ** 2)));
}
