/** The light of the studio: a large softbox on the left, a strip on the right, pale walls. */
import { smoothstep } from "../scalars.ts";
import { unit } from "./camera.ts";

/** Direction to the softbox's centre. y is up, z towards the camera. */
export const KEY = unit([-0.62, 0.72, 0.42]);

/** Tangent of half the softbox's angle. */
export const KEY_SPREAD = 0.32;

const FILL = unit([0.75, 0.35, 0.6]);

/**
 * Returns the light on a surface; about 1 if it faces the softbox.
 * @param open visible share of the softbox
 * @param sky visible share of everything else
 */
export function irradiance(nx: number, ny: number, nz: number, open: number, sky: number): number {
  const key = Math.max(0, nx * KEY[0] + ny * KEY[1] + nz * KEY[2]);
  const fill = Math.max(0, nx * FILL[0] + ny * FILL[1] + nz * FILL[2]);
  return 0.66 * key * open + (0.13 * fill + 0.36 + 0.07 * ny) * sky;
}

/** The softbox as a rectangle: its axes are perpendicular to the direction of its centre. */
const KEY_RIGHT = unit([KEY[2], 0, -KEY[0]]);
const KEY_UP = [
  KEY[1] * KEY_RIGHT[2] - KEY[2] * KEY_RIGHT[1],
  KEY[2] * KEY_RIGHT[0] - KEY[0] * KEY_RIGHT[2],
  KEY[0] * KEY_RIGHT[1] - KEY[1] * KEY_RIGHT[0],
] as const;

/** Returns the light from a direction for reflections; the softbox is the brightest, about 3. */
export function lightFrom(x: number, y: number, z: number): number {
  const walls = 0.16 + 0.3 * smoothstep(-0.3, 0.9, y) + 0.1 * smoothstep(0.2, 1, z);
  const towards = x * KEY[0] + y * KEY[1] + z * KEY[2];
  let light = y < 0 ? 0.28 + 0.14 * smoothstep(-0.1, -0.8, y) : walls;
  if (towards > 0.05) {
    const across = Math.abs(x * KEY_RIGHT[0] + y * KEY_RIGHT[1] + z * KEY_RIGHT[2]) / towards;
    const along = Math.abs(x * KEY_UP[0] + y * KEY_UP[1] + z * KEY_UP[2]) / towards;
    light += 2.6 * smoothstep(0.4, 0.3, across) * smoothstep(0.62, 0.5, along);
  }
  // A tall window on the left, whose light the table reflects to upright walls.
  const window = smoothstep(0.2, 0.13, Math.abs(Math.atan2(x, z) + 0.95));
  light += 1.5 * window * smoothstep(-0.75, -0.35, y) * smoothstep(0.8, 0.6, y);
  const strip = smoothstep(0.09, 0.05, Math.abs(Math.atan2(x, z) - 1.25));
  light += 0.9 * strip * smoothstep(-0.7, -0.2, y) * smoothstep(0.75, 0.6, y);
  return light;
}

/** Returns the share of light that a smooth dielectric (n = 1.5) reflects (C. Schlick, 1994). */
export function fresnel(cosine: number): number {
  const grazing = 1 - Math.min(Math.max(cosine, 0), 1);
  const square = grazing * grazing;
  return 0.04 + 0.96 * square * square * grazing;
}
