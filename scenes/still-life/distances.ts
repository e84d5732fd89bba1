/** Signed distances to simple solids, in the unit of the coordinates (after I. Quilez). */
import { length2, length3 } from "../scalars.ts";

/** To a rectangle of half sides hx, hy with rounded corners. */
export function toRectangle(x: number, y: number, hx: number, hy: number, round: number): number {
  const qx = Math.abs(x) - hx + round;
  const qy = Math.abs(y) - hy + round;
  const outside = length2(Math.max(qx, 0), Math.max(qy, 0));
  return outside + Math.min(Math.max(qx, qy), 0) - round;
}

/** To a box of half sides hx, hy, hz with rounded edges. */
export function toBox(
  x: number,
  y: number,
  z: number,
  hx: number,
  hy: number,
  hz: number,
  round: number,
): number {
  const qx = Math.abs(x) - hx + round;
  const qy = Math.abs(y) - hy + round;
  const qz = Math.abs(z) - hz + round;
  const outside = length3(Math.max(qx, 0), Math.max(qy, 0), Math.max(qz, 0));
  return outside + Math.min(Math.max(qx, qy, qz), 0) - round;
}

/** To a solid that is an outline (at this distance) drawn out to ±h, with rounded edges. */
export function toExtrusion(outline: number, z: number, h: number, round: number): number {
  const qx = outline + round;
  const qz = Math.abs(z) - h + round;
  return length2(Math.max(qx, 0), Math.max(qz, 0)) + Math.min(Math.max(qx, qz), 0) - round;
}

/** The union of two solids with a fillet of about `width` between them. */
export function blend(a: number, b: number, width: number): number {
  const overlap = Math.max(width - Math.abs(a - b), 0) / width;
  return Math.min(a, b) - overlap * overlap * width * 0.25;
}
