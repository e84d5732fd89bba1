/** Curves as polylines. */
import type { View } from "./cloth-map.ts";
import type { Sheet } from "./sheet.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Catmull–Rom's curve through `points`, `parts` pieces between two of them. */
export function curveThrough(points: readonly Point[], closed: boolean, parts = 12): Point[] {
  const count = points.length;
  const at = (k: number) =>
    closed ? points[(k + count) % count] : points[Math.min(Math.max(k, 0), count - 1)];
  const curve: Point[] = [];
  for (let k = 0; k < (closed ? count : count - 1); k++) {
    const [a, b, c, d] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
    for (let part = 0; part < parts; part++) {
      const t = part / parts;
      const mix = (p: number, q: number, r: number, s: number) =>
        q + 0.5 * t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)));
      curve.push({ x: mix(a.x, b.x, c.x, d.x), y: mix(a.y, b.y, c.y, d.y) });
    }
  }
  if (!closed) curve.push(points[count - 1]);
  return curve;
}

/** Sides of a sheet, in the order in which they are walked clockwise. */
export type Side = "top" | "right" | "bottom" | "left";

/** Returns a side of `sheet` in pixels of the picture, clockwise; every `stride`-th node. */
export function sideOf(sheet: Sheet, side: Side, view: View, stride = 1): Point[] {
  const { columns, rows, x, y } = sheet;
  const last = rows * columns - 1;
  const [first, step, count] = {
    top: [0, 1, columns],
    right: [columns - 1, columns, rows],
    bottom: [last, -1, columns],
    left: [last - columns + 1, -columns, rows],
  }[side];
  const points: Point[] = [];
  for (let k = 0; k < count; k += stride) {
    const node = first + k * step;
    points.push({ x: x[node] * view.scale + view.left, y: y[node] * view.scale + view.top });
  }
  return points;
}
