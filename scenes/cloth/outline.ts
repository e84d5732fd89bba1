/** Distance of a pixel from a curve, and the position of its nearest point. */

import { clamp } from "../scalars.ts";
import { MOCKUP_SIZE } from "../scene.ts";
import type { Point } from "./curve.ts";

/** Grid points of a field's side, and pixels between them. */
const SIDE = 800;
const STEP = MOCKUP_SIZE / SIDE;

/** A curve with a distance at any pixel of the scene. */
export interface Outline {
  /** Pixels to the curve, at most `reach`; negative inside a closed one. */
  distance(x: number, y: number): number;
}

/** An open curve. */
export interface Line extends Outline {
  /** Pixels along the curve to the nearest point; only meaningful near the curve. */
  along(x: number, y: number): number;
}

/** Step of the finite differences of a field, in pixels. */
const SPAN = 6;

/** Writes the gradient of `outline`'s distance into `into`; of length about 1. */
export function slopeOf(
  outline: Outline,
  x: number,
  y: number,
  into: { x: number; y: number },
): void {
  const half = SPAN / 2;
  into.x = (outline.distance(x + half, y) - outline.distance(x - half, y)) / SPAN;
  into.y = (outline.distance(x, y + half) - outline.distance(x, y - half)) / SPAN;
}

/** The field of a closed polyline; beyond `reach` pixels from it only the sign is true. */
export function outlineOf(curve: readonly Point[], reach: number): Outline {
  const distance = new Float32Array(SIDE * SIDE).fill(reach);
  mark([...curve, curve[0]], reach, distance, null);
  negateInside(distance, curve);
  return { distance: (x, y) => bilinear(distance, x, y) };
}

/** The field of open polylines, without a sign. */
export function linesOf(curves: readonly (readonly Point[])[], reach: number): Line {
  const distance = new Float32Array(SIDE * SIDE).fill(reach);
  const along = new Float32Array(SIDE * SIDE);
  for (const curve of curves) mark(curve, reach, distance, along);
  return {
    distance: (x, y) => bilinear(distance, x, y),
    along: (x, y) => bilinear(along, x, y),
  };
}

/** Rasterises a polyline into the fields. */
function mark(
  curve: readonly Point[],
  reach: number,
  distance: Float32Array,
  along: Float32Array | null,
): void {
  let passed = 0;
  for (let k = 0; k + 1 < curve.length; k++) {
    const a = curve[k];
    const b = curve[k + 1];
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const length = Math.sqrt(dx * dx + dy * dy);
    const square = Math.max(length * length, 1e-9);
    const left = Math.max(0, Math.ceil((Math.min(a.x, b.x) - reach) / STEP));
    const right = Math.min(SIDE - 1, Math.floor((Math.max(a.x, b.x) + reach) / STEP));
    const top = Math.max(0, Math.ceil((Math.min(a.y, b.y) - reach) / STEP));
    const bottom = Math.min(SIDE - 1, Math.floor((Math.max(a.y, b.y) + reach) / STEP));
    for (let j = top; j <= bottom; j++) {
      for (let i = left; i <= right; i++) {
        const px = i * STEP - a.x;
        const py = j * STEP - a.y;
        const t = clamp((px * dx + py * dy) / square, 0, 1);
        const ex = px - t * dx;
        const ey = py - t * dy;
        const far = Math.sqrt(ex * ex + ey * ey);
        const at = j * SIDE + i;
        if (far >= distance[at]) continue;
        distance[at] = far;
        if (along !== null) along[at] = passed + t * length;
      }
    }
    passed += length;
  }
}

/** Negates distances inside a closed polyline, by counting crossings along rows. */
function negateInside(distance: Float32Array, curve: readonly Point[]): void {
  for (let j = 0; j < SIDE; j++) {
    const y = j * STEP;
    const crossings: number[] = [];
    curve.forEach((a, k) => {
      const b = curve[(k + 1) % curve.length];
      if (a.y <= y !== b.y <= y) crossings.push(a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x));
    });
    crossings.sort((a, b) => a - b);
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const last = Math.min(SIDE - 1, Math.floor(crossings[k + 1] / STEP));
      for (let i = Math.max(0, Math.ceil(crossings[k] / STEP)); i <= last; i++) {
        distance[j * SIDE + i] *= -1;
      }
    }
  }
}

function bilinear(field: Float32Array, x: number, y: number): number {
  const i = clamp(x / STEP, 0, SIDE - 1.001);
  const j = clamp(y / STEP, 0, SIDE - 1.001);
  const column = Math.floor(i);
  const row = Math.floor(j);
  const s = i - column;
  const t = j - row;
  const at = row * SIDE + column;
  return (
    (field[at] * (1 - s) + field[at + 1] * s) * (1 - t) +
    (field[at + SIDE] * (1 - s) + field[at + SIDE + 1] * s) * t
  );
}
