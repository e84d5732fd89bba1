/**
 * Start distances of rays: one thick ray (cone) is traced first for each small square of the
 * picture.
 */

import { length2 } from "../scalars.ts";
import { MOCKUP_SIZE } from "../scene.ts";
import type { Camera } from "./camera.ts";
import { type Solids, span } from "./solids.ts";

/** Side of a square, in units of the picture. */
const SQUARE = 12.5;
const SQUARES = MOCKUP_SIZE / SQUARE;

/** Rays of points outside the picture start at 0. */
export interface RayStartDistances {
  /**
   * Millimetres along the ray through a point before anything can be hit; infinite if nothing is.
   */
  at(x: number, y: number): number;
}

/** Traces a picture's squares. */
export function rayStartDistancesOf(solids: Solids, camera: Camera): RayStartDistances {
  const starts = new Float64Array(SQUARES * SQUARES);
  const ray = { x: 0, y: 0, z: 0 };
  const range = { from: 0, to: 0 };
  // Radius of the cone, for each millimetre along it.
  const widening = (length2(SQUARE, SQUARE) / 2 + 1) / camera.focal;
  const [ex, ey, ez] = camera.eye;
  for (let row = 0; row < SQUARES; row++) {
    for (let column = 0; column < SQUARES; column++) {
      camera.aim((column + 0.5) * SQUARE, (row + 0.5) * SQUARE, ray);
      span(solids, camera.eye, ray, range, 2 * widening * length2(ex, length2(ey, ez)));
      let t = range.from;
      let clear = Number.POSITIVE_INFINITY;
      while (t < range.to) {
        const free = solids.distance(ex + t * ray.x, ey + t * ray.y, ez + t * ray.z) - widening * t;
        if (free < 0.5) {
          clear = Math.max(0, t - widening * t);
          break;
        }
        t += free / (1 + widening);
      }
      starts[row * SQUARES + column] = clear;
    }
  }
  return {
    at(x, y) {
      if (x < 0 || y < 0 || x >= MOCKUP_SIZE || y >= MOCKUP_SIZE) return 0;
      return starts[Math.floor(y / SQUARE) * SQUARES + Math.floor(x / SQUARE)];
    },
  };
}
