/** Sphere tracing of solids given by distance functions (J. C. Hart, Sphere Tracing, 1996). */
import { clamp } from "../scalars.ts";
import type { Direction, Vector } from "./camera.ts";

/** Solids that stand on the table, y = 0. */
export interface Solids {
  /** Returns at most the signed distance in millimetres. */
  distance(x: number, y: number, z: number): number;
  /** A box around all of them. */
  readonly low: Vector;
  readonly high: Vector;
}

/** Distance of a hit in millimetres. */
const TOUCH = 0.02;

/** Maximum steps of a ray; grazing ones take many. */
const MAX_STEPS = 110;

/** An interval of a ray, in millimetres; empty unless `to` exceeds `from`. */
export interface Span {
  from: number;
  to: number;
}

/** Writes the interval of a ray within `margin` of the solids' box. */
export function span(
  { low, high }: Solids,
  [ox, oy, oz]: Vector,
  { x, y, z }: Direction,
  into: Span,
  margin = 0,
): void {
  const ax = (low[0] - margin - ox) / x;
  const bx = (high[0] + margin - ox) / x;
  const ay = (low[1] - margin - oy) / y;
  const by = (high[1] + margin - oy) / y;
  const az = (low[2] - margin - oz) / z;
  const bz = (high[2] + margin - oz) / z;
  into.from = Math.max(0, Math.min(ax, bx), Math.min(ay, by), Math.min(az, bz));
  into.to = Math.min(Math.max(ax, bx), Math.max(ay, by), Math.max(az, bz));
}

const within: Span = { from: 0, to: 0 };

/**
 * Returns the distance along a ray to a solid, or -1.
 * @param start millimetres that are known to be empty
 */
export function march(solids: Solids, origin: Vector, ray: Direction, start = 0): number {
  const [ox, oy, oz] = origin;
  const { x, y, z } = ray;
  span(solids, origin, ray, within);
  const end = within.to;
  let t = Math.max(start, within.from);
  for (let step = 0; step < MAX_STEPS && t < end; step++) {
    const near = solids.distance(ox + t * x, oy + t * y, oz + t * z);
    if (near < TOUCH) return t;
    t += near;
  }
  return -1;
}

/** Writes the outward direction at a point of the surface. */
export function normalAt(solids: Solids, x: number, y: number, z: number, into: Direction): void {
  const h = 0.06;
  const a = solids.distance(x + h, y - h, z - h);
  const b = solids.distance(x - h, y - h, z + h);
  const c = solids.distance(x - h, y + h, z - h);
  const d = solids.distance(x + h, y + h, z + h);
  const nx = a - b - c + d;
  const ny = -a - b + c + d;
  const nz = -a + b - c + d;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
  into.x = nx / length;
  into.y = ny / length;
  into.z = nz / length;
}

/**
 * Returns the visible share of a round light at a point: the smallest distance on the way to its
 * centre relative to the light's width there.
 * @param spread tangent of the angle of half the light
 */
export function lightVisibility(
  solids: Solids,
  x: number,
  y: number,
  z: number,
  [dx, dy, dz]: Vector,
  spread: number,
): number {
  const { low, high } = solids;
  const end = Math.min(
    (dx > 0 ? high[0] - x : low[0] - x) / dx,
    (dy > 0 ? high[1] - y : low[1] - y) / dy,
    (dz > 0 ? high[2] - z : low[2] - z) / dz,
  );
  let open = 1;
  let t = 1.4;
  for (let step = 0; step < 24 && t < end; step++) {
    const near = solids.distance(x + t * dx, y + t * dy, z + t * dz);
    open = Math.min(open, 0.5 + (0.5 * near) / (spread * t));
    if (open < 0.02) return 0;
    t += clamp(1.2 * Math.abs(near), 0.8 + 0.1 * t, 60);
  }
  return open * open * (3 - 2 * open);
}

/** Radius of ambient occlusion, in millimetres. */
const REACHES = [4, 15] as const;

/** Returns the visible share of the sky at a point, from nearby solids and the table. */
export function skyVisibility(
  solids: Solids,
  x: number,
  y: number,
  z: number,
  { x: nx, y: ny, z: nz }: Direction,
): number {
  let shut = 0;
  for (let k = 0; k < REACHES.length; k++) {
    const reach = REACHES[k];
    const py = y + reach * ny;
    const near = Math.min(solids.distance(x + reach * nx, py, z + reach * nz), py);
    shut += 0.42 * clamp(1 - near / reach, 0, 1);
  }
  return 1 - shut;
}
